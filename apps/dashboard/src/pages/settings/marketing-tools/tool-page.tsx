import { Skeleton, Tabs } from '@mantine/core';
import { IconPlugConnectedX } from '@service/icons';
import { getRouteApi } from '@tanstack/react-router';
import { sendOutcomes, type OutcomeName } from '../../../components/contact-sends.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Page } from '../../../components/page.tsx';
import { ConnectionStatus } from '../../../components/status.tsx';
import type { Connection } from '../../../trpc.ts';
import { useWorkspace, WorkspaceLink } from '../../../workspace.ts';
import { ConnectionHistory } from '../connections/connection-history.tsx';
import { RunsSection } from './runs-section.tsx';
import { SendsSection } from './sends-section.tsx';
import { SyncSection } from './sync-section.tsx';
import { ToolState } from './tool-card.tsx';
import { useToolConnections } from './tool-connections.ts';
import styles from './tool-page.module.css';
import { inStepText, useTools } from './tools.ts';

const route = getRouteApi('/w/$workspaceId/settings/marketing-tools/$connectionId');

/** One connection to a marketing tool: its state, what it keeps in step, and what was sent. */
export function ToolPage() {
  const { connectionId } = route.useParams();
  const { connections, error, refetch } = useToolConnections();
  // In the request of the connections, so that the form has its height at once.
  useTools();
  const connection = connections?.find(({ id }) => id === connectionId);
  if (connection) return <OneTool connection={connection} />;
  return (
    <Page title="Marketing tool" above={<Trail />}>
      {error ? (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : connections ? (
        <EmptyState icon={IconPlugConnectedX} title="There is no such connection">
          It was removed, or the address is wrong.
        </EmptyState>
      ) : (
        <Skeleton height={320} aria-busy />
      )}
    </Page>
  );
}

function OneTool({ connection }: { connection: Connection }) {
  const { id, name, state } = connection;
  const { workspace } = useWorkspace();
  const { tab = 'settings', outcome: typed } = route.useSearch();
  const navigate = route.useNavigate();
  const isOwner = workspace.role === 'owner';
  const outcome = (Object.keys(sendOutcomes) as OutcomeName[]).find((one) => one === typed);
  return (
    <Page
      title={name}
      above={<Trail />}
      description={
        <span className={styles['summary']}>
          <ConnectionStatus state={state} />
          {inStepText(connection)}
        </span>
      }
    >
      <div className={styles['state']}>
        <ToolState
          connection={connection}
          isOwner={isOwner}
          onRemoved={() =>
            void navigate({
              to: '/w/$workspaceId/settings/marketing-tools',
              params: { workspaceId: workspace.id },
            })
          }
        />
      </div>
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: next === 'sent' ? { tab: 'sent' } : {} })}
      >
        <Tabs.List>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="sent">Sent</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab} pt="lg">
          {tab === 'sent' ? (
            <>
              <RunsSection connection={connection} isOwner={isOwner} />
              <SendsSection
                connection={connection}
                outcome={outcome}
                onOutcome={(next) => void navigate({ search: { tab: 'sent', outcome: next } })}
              />
            </>
          ) : (
            <>
              <SyncSection key={id} connection={connection} isOwner={isOwner} />
              <ConnectionHistory filter={{ connectionId: id }} />
            </>
          )}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Trail() {
  return (
    <nav className={styles['trail']} aria-label="Breadcrumb">
      <WorkspaceLink to="/w/$workspaceId/settings/marketing-tools">Marketing tools</WorkspaceLink>
    </nav>
  );
}
