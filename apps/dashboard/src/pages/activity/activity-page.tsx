import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FirstUse } from '../../components/first-use.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { formatPlural } from '../../format.ts';
import { usePaged } from '../../paged.ts';
import { useRetention } from '../../retention.ts';
import { useTRPC, useTRPCClient } from '../../trpc.ts';
import { NoCalls, NoMatches } from './activity-empty.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityHistogram } from './activity-histogram.tsx';
import { activityColumns, ActivityRow } from './activity-row.tsx';
import { useActivitySearch } from './use-activity-search.ts';

const CallDrawer = lazy(async () => ({ default: (await import('./call-drawer.tsx')).CallDrawer }));

export function ActivityPage() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const retention = useRetention();
  const { filter, isFiltered, openId, show } = useActivitySearch();
  const activity = usePaged({
    queryKey: trpc.activity.list.queryKey(filter),
    fetchPage: (page, signal) => client.activity.list.query({ ...filter, ...page }, { signal }),
  });
  const { items, error, hasNextPage, onVisibleRows } = activity;
  const open = items?.find(({ id }) => id === openId);
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
            <TableCard
              name="API activity"
              columns={activityColumns}
              minWidth={880}
              rows={items}
              renderRow={(call) => (
                <ActivityRow key={call.id} call={call} withSurface onOpen={() => show({ call: call.id })} />
              )}
              onVisibleRows={onVisibleRows}
              total={items && `${formatPlural(items.length, 'call')}${hasNextPage ? ' loaded' : ''}`}
            />
          )}
          <LoadMore {...activity} />
        </>
      )}
      <FirstUse isOpen={open !== undefined}>
        <CallDrawer call={open} onClose={() => show({ call: undefined })} />
      </FirstUse>
    </Page>
  );
}
