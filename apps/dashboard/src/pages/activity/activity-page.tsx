import { Stack, Text } from '@mantine/core';
import { IconActivity, IconFilterOff } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { NoMatchActions } from '../../components/filter-bar.tsx';
import { FirstUse } from '../../components/late-modal.tsx';
import { ListResult, LoadMore } from '../../components/load-more.tsx';
import { ExportLink } from '../../components/export-link.tsx';
import { Page } from '../../components/page.tsx';
import { Status } from '../../components/status.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { TimeHistogram, type BarPart } from '../../components/time-histogram.tsx';
import { formatPlural } from '../../format.ts';
import { usePaged } from '../../paged.ts';
import { useRetention } from '../../retention.ts';
import { timeRanges, utcOffsetMinutes } from '../../time-ranges.ts';
import { useTRPC, useTRPCClient, type Histogram } from '../../trpc.ts';
import { WorkspaceLink } from '../../workspace.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { activityColumns, ActivityRow } from './activity-row.tsx';
import { defaultRange, useActivitySearch } from './search.ts';

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
      description={`Every authenticated call to the REST API and over MCP${retention ? `, kept ${retention.history}` : ''}.`}
      actions={
        <>
          <ExportLink list="activity" input={filter} of="Activity" />
          <Text size="xs" c="dimmed" component="span">
            <Status tone={error ? 'bad' : 'good'} isMoving={!error} isPill={false}>
              {error ? 'Not updating' : 'Updating'}
            </Status>
          </Text>
        </>
      }
    >
      {isUnused ? (
        <NoCalls />
      ) : (
        <>
          <ActivityFilters />
          <ActivityHistogram />
          <ListResult items={items} error={error} refetch={activity.refetch} empty={<NoMatches />}>
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
          </ListResult>
          <LoadMore {...activity} />
        </>
      )}
      <FirstUse isOpen={open !== undefined}>
        <CallDrawer call={open} onClose={() => show({ call: undefined })} />
      </FirstUse>
    </Page>
  );
}

const parts: readonly BarPart<Histogram['bars'][number]>[] = [
  { kind: 'good', word: 'succeeded', of: ({ success }) => success },
  { kind: 'bad', word: 'failed', of: ({ failure }) => failure },
];

/** The calls over time. */
function ActivityHistogram() {
  const trpc = useTRPC();
  const { search, filter, show } = useActivitySearch();
  const { data } = useQuery(trpc.activity.histogram.queryOptions({ ...filter, utcOffsetMinutes }));
  return (
    <TimeHistogram
      name="Calls over time"
      data={data?.data}
      height={142}
      parts={parts}
      formatTotal={(sum) => formatPlural(sum, 'call')}
      search={search}
      defaultRange={defaultRange}
      onPick={show}
    />
  );
}

/** The workspace has no calls yet. */
function NoCalls() {
  const retention = useRetention();
  const curl = `curl ${window.location.origin}/api/v1/webinars \\\n  -H "Authorization: Bearer $API_KEY"`;
  const keys = <WorkspaceLink to="/w/$workspaceId/settings/keys">API key</WorkspaceLink>;
  return (
    <EmptyState
      icon={IconActivity}
      title="No API calls yet"
      action={
        <Stack gap="xs" ta="start">
          <CodeBlock label="A first call" text={curl} />
          <CopyButton text={curl} label="Copy command" />
        </Stack>
      }
    >
      Every call over REST or MCP appears here within a second, with its status, duration and request id
      {retention ? `, and is kept ${retention.history}` : null}. Make one with an {keys}:
    </EmptyState>
  );
}

/** The workspace has calls, but none of them match. */
function NoMatches() {
  const { search, isFiltered, clear, show } = useActivitySearch();
  const { range = defaultRange } = search;
  return (
    <EmptyState
      icon={IconFilterOff}
      title={isFiltered ? 'No calls match these filters' : 'No calls in the last 24 hours'}
      action={
        <NoMatchActions
          search={search}
          defaultRange={defaultRange}
          show={show}
          onClear={isFiltered ? clear : undefined}
        />
      }
    >
      {search.from === undefined
        ? `Searched the ${timeRanges[range].text.toLowerCase()}. `
        : 'Searched the time selected above. '}
      Calls refused with 401 are never listed.
    </EmptyState>
  );
}
