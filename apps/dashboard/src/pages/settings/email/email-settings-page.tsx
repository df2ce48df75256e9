import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconMail, IconPlus } from '@service/icons';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ListResult } from '../../../components/load-more.tsx';
import { Page } from '../../../components/page.tsx';
import { Section } from '../../../components/section.tsx';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import { focusContentIfLost } from '../../../focus.ts';
import { useTRPC } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';
import { ConnectionHistory } from '../connections/connection-history.tsx';
import { sendersQuery } from '../connections/connection-texts.ts';
import { ConnectionCard } from './connection-card.tsx';
import { CountsSection } from './counts-section.tsx';
import { DomainsSection } from './domains-section.tsx';
import { SuppressionsSection } from './suppressions-section.tsx';

const route = getRouteApi('/w/$workspaceId/settings/email');

/** The e-mail providers of the workspace and who changed them. */
export function EmailSettingsPage() {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const isOwner = workspace.role === 'owner';
  const { connect, domain, q } = route.useSearch();
  const navigate = route.useNavigate();
  const isConnecting = isOwner && connect === true;
  const setConnect = (isOpen: boolean) => void navigate({ search: isOpen ? { connect: true } : {} });
  const closeConnect = () => setConnect(false);
  const escape = useOwnEscape(isConnecting, closeConnect);
  const { data, error, refetch } = useQuery(trpc.connections.list.queryOptions({}));
  usePrefetchQuery(sendersQuery(trpc));
  const isLoading = !data && !error;
  const connections = data?.data.filter(({ kind }) => kind === 'mail');
  const connectButton = isOwner ? (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setConnect(true)}>
      Connect
    </Button>
  ) : null;
  return (
    <Page
      title="E-mail"
      description={`The provider that sends the e-mails of ${workspace.name}.${isOwner ? '' : ' Only owners connect and remove providers.'}`}
      actions={connections?.length === 0 ? null : connectButton}
    >
      {isLoading ? <Skeleton height={420} aria-busy /> : null}
      {/* The sections are read in one request. Shown before it is answered, the lower ones would move. */}
      <div hidden={isLoading}>
        <Section
          title="Connections"
          text="E-mails leave through the default connection, from the address that you set there."
          apiCall={{ operation: 'GET /connections', params: {} }}
        >
          <ListResult
            items={connections}
            error={error}
            refetch={refetch}
            empty={
              <EmptyState
                icon={IconMail}
                title="E-mails are sent by this installation"
                steps={[
                  'Make a key at your e-mail provider, or take the SMTP settings of your mail server.',
                  'Connect it here. The provider is asked before anything is saved.',
                  'From then on e-mails have your own address and domain.',
                ]}
                action={connectButton}
              >
                Without a connection this workspace uses the mail server and the address of the installation.
              </EmptyState>
            }
          >
            {connections?.map((connection) => (
              <ConnectionCard
                key={connection.id}
                connection={connection}
                isOwner={isOwner}
                isOnly={connections.length === 1}
              />
            ))}
          </ListResult>
        </Section>
        {connections && connections.length > 0 ? (
          <DomainsSection
            connections={connections}
            openId={domain}
            onOpen={(next) => void navigate({ search: next === undefined ? {} : { domain: next } })}
          />
        ) : null}
        <CountsSection />
        <SuppressionsSection
          q={q}
          onSearch={(next) => void navigate({ search: next === undefined ? {} : { q: next } })}
        />
        <ConnectionHistory filter={{ kind: 'mail' }} />
      </div>
      <Drawer
        opened={isConnecting}
        onClose={closeConnect}
        title="Connect an e-mail provider"
        onExitTransitionEnd={focusContentIfLost}
        {...escape}
      >
        <Suspense fallback={<Skeleton height={420} aria-busy />}>
          <ConnectForm onClose={closeConnect} />
        </Suspense>
      </Drawer>
    </Page>
  );
}

// The list does not wait for the form.
const ConnectForm = lazy(async () => ({ default: (await import('./connect-form.tsx')).ConnectForm }));
