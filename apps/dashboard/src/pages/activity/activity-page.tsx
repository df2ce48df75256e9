import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { usePaged } from '../../paged.ts';
import { useRetention } from '../../retention.ts';
import { useTRPC, useTRPCClient, type Activity } from '../../trpc.ts';
import { NoCalls, NoMatches } from './activity-empty.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityHistogram } from './activity-histogram.tsx';
import { activityColumns, ActivityRow } from './activity-row.tsx';
import { CallDrawer } from './call-drawer.tsx';
import { useActivitySearch } from './use-activity-search.ts';

export function ActivityPage() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const retention = useRetention();
  const { filter, isFiltered } = useActivitySearch();
  const [open, setOpen] = useState<Activity>();
  const activity = usePaged({
    queryKey: trpc.activity.list.queryKey(filter),
    fetchPage: (page, signal) => client.activity.list.query({ ...filter, ...page }, { signal }),
  });
  const { items, error } = activity;
  const keys = useQuery(trpc.activity.keys.queryOptions());
  const isUnused = keys.data?.data.length === 0 && items?.length === 0 && !isFiltered;
  return (
    <Page
      title="Activity"
      description={
        retention
          ? `Every authenticated call to the REST API and over MCP, kept ${retention.history}. Events of attendees are kept ${retention.events}.`
          : 'Every authenticated call to the REST API and over MCP.'
      }
      actions={
        <Text size="xs" c="dimmed" component="span">
          <Status tone={error ? 'bad' : 'good'} isMoving={!error} isPill={false}>
            {error ? 'Not updating' : 'Updating'}
          </Status>
        </Text>
      }
    >
      {isUnused ? (
        <NoCalls />
      ) : (
        <>
          <ActivityFilters />
          <ActivityHistogram />
          {error && !items ? <FailureNotice error={error} onRetry={() => void activity.refetch()} /> : null}
          {items?.length === 0 ? <NoMatches /> : null}
          {items?.length === 0 || (error && !items) ? null : (
            <TableCard name="API activity" columns={activityColumns} minWidth={880}>
              {items?.map((call) => (
                <ActivityRow key={call.id} call={call} onOpen={() => setOpen(call)} />
              ))}
            </TableCard>
          )}
          <LoadMore {...activity} />
        </>
      )}
      <CallDrawer call={open} onClose={() => setOpen(undefined)} />
    </Page>
  );
}
