import { Group, Text } from '@mantine/core';
import { IconFilterOff, IconSend } from '@service/icons';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { NoMatchActions } from '../../components/filter-bar.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { ExportLink } from '../../components/export-link.tsx';
import { ShowApiCall } from '../../components/show-api-call.tsx';
import { ActionsHead, TableCard } from '../../components/table-card.tsx';
import { formatPlural } from '../../format.ts';
import { useRetention } from '../../retention.ts';
import { timeRanges } from '../../time-ranges.ts';
import { useSourceNames } from '../source/use-sources.ts';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryHistogram } from './delivery-histogram.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { useAnnounceListed } from './listed-deliveries.ts';
import { defaultRange, isFiltered, noFilters, type DeliverySearch } from './search.ts';
import {
  deliveriesCall,
  useAttendees,
  useDeliveryFilter,
  useDeliveryList,
  type DeliveryScope,
} from './use-deliveries.ts';

interface DeliveryLogProps {
  scope: DeliveryScope;
  /** The filters and the open delivery, as the URL keeps them. */
  search: DeliverySearch;
  show: (change: DeliverySearch) => void;
  /** Shown instead of filters and list when nothing was sent. Given where the list covers all time. */
  unused?: ReactNode;
}

const columns = (hasSource: boolean) => [
  'Status',
  'Event',
  'Attendee',
  ...(hasSource ? [] : ['Endpoint']),
  'Response',
  'Took',
  'Tries',
  'Created',
  'Next try',
  <ActionsHead key="actions" />,
];

const widths = (hasSource: boolean) => [
  116,
  undefined,
  ...(hasSource ? [190] : [150, 150]),
  124,
  72,
  68,
  98,
  86,
  48,
];

/** Deliveries with a histogram and filters: of the workspace, of a webinar, or of a rule or subscription. */
export function DeliveryLog({ scope, search, show, unused }: DeliveryLogProps) {
  const filter = useDeliveryFilter(scope, search);
  const deliveries = useDeliveryList(filter);
  const { items, error, hasNextPage, fetchNextPage } = deliveries;
  const attendees = useAttendees(items ?? []);
  const hasSource = scope.source !== undefined;
  // The REST API lists the deliveries of one rule or subscription.
  const listed = scope.source ?? (search.endpoint === undefined ? undefined : items?.[0]?.source);
  const nameOf = useSourceNames(scope);
  const isUnused = items?.length === 0 && !hasNextPage && !isFiltered(search);
  useAnnounceListed(items?.map(({ id }) => id) ?? [], hasNextPage ? () => void fetchNextPage() : undefined);
  if (isUnused && unused) return unused;
  return (
    <>
      <DeliveryFilters scope={scope} search={search} show={show} />
      <DeliveryHistogram filter={filter} search={search} show={show} />
      {error && !items ? <FailureNotice error={error} onRetry={() => void deliveries.refetch()} /> : null}
      <Group justify="flex-end" mb={6}>
        {listed ? <ShowApiCall call={deliveriesCall(listed, filter)} of="Deliveries" /> : null}
        <ExportLink list="deliveries" input={filter} of="Deliveries" />
      </Group>
      {items?.length === 0 ? <NoDeliveries search={search} show={show} hasMore={hasNextPage} /> : null}
      {items?.length === 0 || (error && !items) ? null : (
        <TableCard
          name="Deliveries"
          columns={columns(hasSource)}
          minWidth={hasSource ? 940 : 980}
          widths={widths(hasSource)}
          rows={items}
          onVisibleRows={deliveries.onVisibleRows}
          renderRow={(delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              attendee={delivery.registrationId ? attendees.get(delivery.registrationId) : undefined}
              sourceName={hasSource ? undefined : nameOf(delivery.source)}
              show={show}
            />
          )}
          total={
            items && `${formatPlural(items.length, 'delivery', 'deliveries')}${hasNextPage ? ' loaded' : ''}`
          }
        />
      )}
      <LoadMore {...deliveries} />
    </>
  );
}

interface NoDeliveriesProps {
  search: DeliverySearch;
  show: (change: DeliverySearch) => void;
  /** Older deliveries were not searched yet. */
  hasMore: boolean;
}

/** Shown when nothing was sent, or nothing matches the filters. */
function NoDeliveries({ search, show, hasMore }: NoDeliveriesProps) {
  const retention = useRetention();
  if (hasMore) {
    return (
      <Text size="sm" c="dimmed" ta="center" py="lg">
        No match among the newest deliveries. Load more to search older ones.
      </Text>
    );
  }
  const isNarrowed = isFiltered(search);
  const rangeText = timeRanges[search.range ?? defaultRange].text.toLowerCase();
  return (
    <EmptyState
      icon={isNarrowed ? IconFilterOff : IconSend}
      title={isNarrowed ? 'No deliveries match these filters' : `No deliveries in the ${rangeText}`}
      action={
        <NoMatchActions
          search={search}
          defaultRange={defaultRange}
          show={show}
          onClear={isNarrowed ? () => show(noFilters) : undefined}
        />
      }
    >
      {isNarrowed
        ? retention && `Deliveries are kept ${retention.history}.`
        : 'A delivery appears here when its event happens. Send a test to check whether the endpoint answers.'}
    </EmptyState>
  );
}
