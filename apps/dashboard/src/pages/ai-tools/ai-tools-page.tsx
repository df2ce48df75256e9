import { SegmentedControl, Skeleton, Tabs } from '@mantine/core';
import { IconActivity } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { FirstUse } from '../../components/late-modal.tsx';
import { ListResult } from '../../components/load-more.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { useTRPC, type Activity } from '../../trpc.ts';
import { useWorkspace, WorkspaceLink } from '../../workspace.ts';
import { ActivityRow, mcpColumns } from '../activity/activity-row.tsx';
import styles from './ai-tools.module.css';
import { connectorSetupOf } from './client-setups.ts';
import { clientIds, clientLabels, connectorUrl, takesKey, type ClientId } from './clients.ts';
import { ConnectedClients } from './connected-clients.tsx';
import { useAiToolsSearch } from './search.ts';
import { SetupCode } from './setup-code.tsx';
import { ToolsSection } from './tools-section.tsx';

const CreateAiKeyDialog = lazy(async () => ({
  default: (await import('./key-setup.tsx')).CreateAiKeyDialog,
}));

/** Connects AI clients over MCP, and shows the tools that they have and their calls. */
export function AiToolsPage() {
  const { workspace } = useWorkspace();
  const { search } = useAiToolsSearch();
  return (
    <Page
      title="AI tools"
      description={`Connect an AI assistant to ${workspace.name} over MCP. It reads reports, sets up webinars and finds out why a webhook was not sent, within the scopes that you give it.`}
    >
      <ConnectSection />
      <ConnectedClients />
      <LastCalls />
      <ToolsSection />
      <FirstUse isOpen={search.create === true}>
        <CreateAiKeyDialog />
      </FirstUse>
    </Page>
  );
}

const KeySetup = lazy(async () => ({ default: (await import('./key-setup.tsx')).KeySetup }));

const ways = [
  { value: 'sign-in', label: 'Sign in' },
  { value: 'key', label: 'With a key' },
] as const;

/** The ways to connect each client. */
function ConnectSection() {
  const { search, client, show } = useAiToolsSearch();
  // The key belongs to the client before.
  const choose = (next: string | null) => show({ client: (next ?? undefined) as ClientId, key: undefined });
  return (
    <Section
      title="Connect a client"
      text="Most clients open a page of this service, where you sign in and choose the scopes. Clients on your computer can also send a key."
    >
      <Tabs value={client} onChange={choose}>
        <Tabs.List mb="md">
          {clientIds.map((id) => (
            <Tabs.Tab key={id} value={id}>
              {clientLabels[id]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={client}>
          {takesKey(client) ? (
            <SegmentedControl
              aria-label="Way to connect"
              data={[...ways]}
              value={search.way ?? 'sign-in'}
              onChange={(way) => show({ way: way === 'key' ? way : undefined, key: undefined })}
              mb="md"
            />
          ) : null}
          {takesKey(client) && search.way === 'key' ? (
            <Suspense fallback={<Skeleton height={420} aria-busy />}>
              <KeySetup client={client} />
            </Suspense>
          ) : (
            <ConnectorSetup client={client} />
          )}
        </Tabs.Panel>
      </Tabs>
    </Section>
  );
}

/** The steps to connect a client that asks a member for access. */
function ConnectorSetup({ client }: { client: ClientId }) {
  const name = clientLabels[client];
  const isRemote = !takesKey(client);
  return (
    <>
      {isRemote && window.location.protocol !== 'https:' ? (
        <div className={styles['unreachable']}>
          <Notice tone="warn">
            {name} connects from its own servers, so it cannot reach {window.location.origin}. This service
            needs a public https address first.
          </Notice>
        </div>
      ) : null}
      <ol className={styles['steps']}>
        <li>
          <SetupCode setup={connectorSetupOf[client](connectorUrl())} name={name} />
        </li>
        <li>
          <p>
            {client === 'other' ? 'The client' : name} opens a page of this service. Sign in, choose the
            workspace and the scopes, and allow the access. Connected clients below shows its state.
          </p>
        </li>
      </ol>
    </>
  );
}

const CallDrawer = lazy(async () => ({
  default: (await import('../activity/call-drawer.tsx')).CallDrawer,
}));

/** The newest calls over MCP, over all keys. */
function LastCalls() {
  const trpc = useTRPC();
  const [open, setOpen] = useState<Activity>();
  const { data, error, refetch } = useQuery(
    trpc.activity.list.queryOptions({ surface: 'mcp', range: 'last_7_days', limit: 10 }),
  );
  const calls = data?.data;
  return (
    <Section
      title="Last calls"
      text="The newest calls of the last 7 days over MCP."
      action={
        <WorkspaceLink
          to="/w/$workspaceId/settings/activity"
          search={{ surface: 'mcp', range: 'last_7_days' }}
          style={{ fontSize: 13 }}
        >
          All calls over MCP
        </WorkspaceLink>
      }
    >
      <ListResult
        items={calls}
        error={error}
        refetch={refetch}
        empty={
          <EmptyState icon={IconActivity} title="No calls over MCP yet">
            Connect a client above, then ask it a question. Each of its calls appears here within a second.
          </EmptyState>
        }
      >
        <TableCard name="Last calls" columns={mcpColumns} minWidth={760}>
          {calls?.map((call) => (
            <ActivityRow key={call.id} call={call} withSurface={false} onOpen={() => setOpen(call)} />
          ))}
        </TableCard>
      </ListResult>
      <FirstUse isOpen={open !== undefined}>
        <CallDrawer call={open} onClose={() => setOpen(undefined)} />
      </FirstUse>
    </Section>
  );
}
