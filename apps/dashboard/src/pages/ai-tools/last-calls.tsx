import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FirstUse } from '../../components/first-use.tsx';
import { Section } from '../../components/section.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { useTRPC, type Activity } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { ActivityRow, mcpColumns } from '../activity/activity-row.tsx';

const CallDrawer = lazy(async () => ({
  default: (await import('../activity/call-drawer.tsx')).CallDrawer,
}));

/** The newest calls over MCP, over all keys. */
export function LastCalls() {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
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
        <Link
          to="/w/$workspaceId/settings/activity"
          params={{ workspaceId: workspace.id }}
          search={{ surface: 'mcp', range: 'last_7_days' }}
          style={{ fontSize: 13 }}
        >
          All calls over MCP
        </Link>
      }
    >
      {error && !calls ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {calls?.length === 0 ? (
        <EmptyState icon={IconActivity} title="No calls over MCP yet">
          Connect a client above, then ask it a question. Each of its calls appears here within a second.
        </EmptyState>
      ) : null}
      {calls?.length === 0 || (error && !calls) ? null : (
        <TableCard name="Last calls" columns={mcpColumns} minWidth={760}>
          {calls?.map((call) => (
            <ActivityRow key={call.id} call={call} withSurface={false} onOpen={() => setOpen(call)} />
          ))}
        </TableCard>
      )}
      <FirstUse isOpen={open !== undefined}>
        <CallDrawer call={open} onClose={() => setOpen(undefined)} />
      </FirstUse>
    </Section>
  );
}
