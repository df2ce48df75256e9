import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconPlugConnected, IconPlus } from '@service/icons';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ListResult } from '../../../components/load-more.tsx';
import { Page } from '../../../components/page.tsx';
import { Section } from '../../../components/section.tsx';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import { focusContentIfLost } from '../../../focus.ts';
import { useWorkspace } from '../../../workspace.ts';
import { ConnectionHistory } from '../connections/connection-history.tsx';
import { ToolCard } from './tool-card.tsx';
import { useToolConnections } from './tool-connections.ts';
import { useTools } from './tools.ts';

const nameList = new Intl.ListFormat('en');

const route = getRouteApi('/w/$workspaceId/settings/marketing-tools');

/** The marketing tools of the workspace. */
export function MarketingToolsPage() {
  const { workspace } = useWorkspace();
  const { connect } = route.useSearch();
  const navigate = route.useNavigate();
  const setConnect = (isOpen: boolean) => void navigate({ search: isOpen ? { connect: true } : {} });
  const { connections, error, refetch } = useToolConnections();
  const isOwner = workspace.role === 'owner';
  const isConnecting = isOwner && connect === true;
  const closeConnect = () => setConnect(false);
  const escape = useOwnEscape(isConnecting, closeConnect);
  const { tools } = useTools();
  const connectButton = isOwner ? (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setConnect(true)}>
      Connect a tool
    </Button>
  ) : null;
  return (
    <Page
      title="Marketing tools"
      description={`The tools in which the contacts of ${workspace.name} are kept up to date.${isOwner ? '' : ' Only owners connect and remove them.'}`}
      actions={connections?.length === 0 ? null : connectButton}
    >
      <Section
        title="Connections"
        text="Registrants appear in your tool within seconds, with what they did in the webinar."
        apiCall={{ operation: 'GET /connections', params: {} }}
      >
        <ListResult
          items={connections}
          error={error}
          refetch={refetch}
          empty={
            <EmptyState
              icon={IconPlugConnected}
              title="No marketing tool is connected"
              steps={[
                'Make an API key in your tool. The form says where.',
                'Connect it here. The tool is asked before anything is saved.',
                'From then on, each registrant is a contact there. A person who has unsubscribed there is never added again.',
              ]}
              action={connectButton}
            >
              {isOwner
                ? `You can connect ${tools ? nameList.format(tools.map(({ name }) => name)) : 'a tool'}.`
                : 'An owner of the workspace can connect one.'}
            </EmptyState>
          }
        >
          {connections ? (
            connections.map((connection) => (
              <ToolCard key={connection.id} connection={connection} isOwner={isOwner} />
            ))
          ) : (
            <Skeleton height={220} aria-busy />
          )}
        </ListResult>
      </Section>
      <ConnectionHistory filter={{ kind: 'marketing' }} />
      <Drawer
        opened={isConnecting}
        onClose={closeConnect}
        title="Connect a marketing tool"
        onExitTransitionEnd={focusContentIfLost}
        {...escape}
      >
        <Suspense fallback={<Skeleton height={320} aria-busy />}>
          <ConnectToolForm onClose={closeConnect} />
        </Suspense>
      </Drawer>
    </Page>
  );
}

// The list does not wait for the form.
const ConnectToolForm = lazy(async () => ({
  default: (await import('./connect-tool-form.tsx')).ConnectToolForm,
}));
