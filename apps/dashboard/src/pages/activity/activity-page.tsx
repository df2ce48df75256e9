import { Text } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { usePaged } from '../../paged.ts';
import { useTRPC, useTRPCClient } from '../../trpc.ts';
import { ActivityRow } from './activity-row.tsx';

const columns = ['Surface', 'When', 'Status', 'Endpoint / Tool', 'Replay', 'Key', 'Took', 'Request'];
const refetchMs = 4000;

export function ActivityPage() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const activity = usePaged({
    queryKey: trpc.activity.list.queryKey(),
    fetchPage: (page, signal) => client.activity.list.query(page, { signal }),
    refetchMs,
  });
  const { items, error } = activity;
  return (
    <Page
      title="Activity"
      description="Calls to the REST API and over MCP in the last 24 hours. Calls refused with 401 are not listed."
      actions={
        <Text size="xs" c="dimmed" component="span">
          <Status tone={error ? 'bad' : 'good'} isMoving={!error} isPill={false}>
            {error ? 'Not updating' : 'Updating'}
          </Status>
        </Text>
      }
    >
      {error && !items ? <FailureNotice error={error} onRetry={() => void activity.refetch()} /> : null}
      {items?.length === 0 ? (
        <EmptyState icon={IconActivity} title="No calls in the last 24 hours">
          Make one with an API key and it appears here within a second, with its status, duration and request
          id.
        </EmptyState>
      ) : null}
      {items?.length === 0 || (error && !items) ? null : (
        <TableCard name="API activity" columns={columns} minWidth={920}>
          {items?.map((row) => (
            <ActivityRow key={row.id} row={row} />
          ))}
        </TableCard>
      )}
      <LoadMore {...activity} />
    </Page>
  );
}
