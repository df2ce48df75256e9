import { Group, Text } from '@mantine/core';
import { IconFilterOff, IconMoodSmile } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { ShowApiCall } from '../../components/show-api-call.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { formatPlural } from '../../format.ts';
import { AmountHead } from '../../components/amount-cells.tsx';
import { EventFilters } from './event-filters.tsx';
import { EventRow } from './event-row.tsx';
import { FilterActions } from './filter-actions.tsx';
import { filtersOf, isFiltered } from './filters.ts';
import type { RevenueSearch } from './search.ts';
import type { SearchProps } from './time-filters.tsx';
import { useEventFilter, useRevenueEvents } from './use-revenue.ts';

interface EventsTabProps extends SearchProps {
  tab: NonNullable<RevenueSearch['tab']>;
}

const columns = (isUnattributed: boolean) => [
  'Type',
  <AmountHead key="amount">Amount</AmountHead>,
  isUnattributed ? 'Reason' : 'Credited to',
  'E-mail',
  'Source',
  'Payment',
  'Time',
];

/** The ledger: every event with its credit, or those without a credit and the reason. */
export function EventsTab({ tab, search, show }: EventsTabProps) {
  const isUnattributed = tab === 'unattributed';
  const filter = useEventFilter(filtersOf(search));
  const events = useRevenueEvents(filter);
  const { items, error, hasNextPage } = events;
  return (
    <>
      {isUnattributed ? null : <EventFilters search={search} show={show} />}
      <Group justify="flex-end" mb={6}>
        <ShowApiCall call={{ operation: 'GET /revenue/events', params: {}, query: filter }} of="Events" />
      </Group>
      {error && !items ? <FailureNotice error={error} onRetry={() => void events.refetch()} /> : null}
      {items?.length === 0 && hasNextPage ? (
        <Text size="sm" c="dimmed" ta="center">
          No event in the part that was searched so far.
        </Text>
      ) : items?.length === 0 ? (
        <NoEvents isUnattributed={isUnattributed} search={search} show={show} />
      ) : error && !items ? null : (
        <TableCard
          name={isUnattributed ? 'Unattributed events' : 'Revenue events'}
          columns={columns(isUnattributed)}
          minWidth={960}
          widths={[110, 100, 240, undefined, 90, 140, 100]}
          rows={items}
          onVisibleRows={events.onVisibleRows}
          renderRow={(event) => (
            <EventRow key={event.id} event={event} onOpen={() => show({ event: event.id })} />
          )}
          total={items && `${formatPlural(items.length, 'event')}${hasNextPage ? ' loaded' : ''}`}
        />
      )}
      <LoadMore {...events} />
    </>
  );
}

function NoEvents({ isUnattributed, search, show }: SearchProps & { isUnattributed: boolean }) {
  if (isUnattributed) {
    return (
      <EmptyState icon={IconMoodSmile} title="Every event in this time has a credit">
        An event without a credit appears here with the reason.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconFilterOff}
      title={isFiltered(search) ? 'No event matches these filters' : 'No events in this time'}
      action={<FilterActions search={search} show={show} />}
    >
      Events are listed by the time of the payment, which their source reports.
    </EmptyState>
  );
}
