import { Group, Text } from '@mantine/core';
import { paymentStates, revenueEventTypes } from '@service/catalogue';
import { IconFilterOff, IconMoodSmile } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { ChoiceFilter, InteractionFilter, type FilterProps } from '../../components/choice-filter.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FilterBar, SearchFilter } from '../../components/filter-bar.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { ShowApiCall } from '../../components/show-api-call.tsx';
import { AmountHead, TableCard } from '../../components/table-card.tsx';
import { formatPlural } from '../../format.ts';
import { formatMoney } from '../../money.ts';
import { useTRPC } from '../../trpc.ts';
import { EventRow } from './event-row.tsx';
import { filtersOf, isFiltered, isInReport, noTime } from './filters.ts';
import { FilterActions } from './revenue-empty.tsx';
import { sourceText, stateStyles, typeTexts } from './revenue-texts.ts';
import type { RevenueSearch } from './search.ts';
import type { SearchProps } from './time-filters.tsx';
import { totals, useEventFilter, useReport, useRevenueEvents, useToday } from './use-revenue.ts';

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
      <Group justify="space-between" mb={6}>
        <SumsOfList isUnattributed={isUnattributed} search={search} />
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

interface SumsOfListProps {
  isUnattributed: boolean;
  search: RevenueSearch;
}

/** The sums of the listed events, as the overview has them. Nothing for a list that a report does not cover. */
function SumsOfList({ isUnattributed, search }: SumsOfListProps) {
  const { data } = useReport(search, totals);
  const isCovered = isInReport(search, useToday());
  const isWhole = isUnattributed || !isFiltered({ ...filtersOf(search), ...noTime });
  if (!data || !isCovered || !isWhole) return <span />;
  const sums = isUnattributed ? data.groups.filter(({ key }) => key === 'unattributed') : data.totals;
  return (
    <Text size="sm" c="dimmed">
      {sums.map(({ currency, grossMinor, netMinor }) => (
        <span key={currency}>
          {formatMoney(grossMinor, currency)} gross, {formatMoney(netMinor, currency)} net{'. '}
        </span>
      ))}
    </Text>
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

const typeOptions = revenueEventTypes.map((value) => ({ value, label: typeTexts[value] }));
const stateOptions = paymentStates.map((value) => ({ value, label: stateStyles[value].word }));
const creditOptions = [
  { value: 'yes' as const, label: 'Attributed' },
  { value: 'no' as const, label: 'Unattributed' },
];

const offerTypes = ['offer'] as const;

/** The filters of the ledger. They are in the URL. */
function EventFilters({ search, show }: SearchProps) {
  return (
    <FilterBar>
      <ChoiceFilter
        label="Type"
        choices={typeOptions}
        value={search.type}
        onChange={(type) => show({ type })}
      />
      <SourceFilter value={search.source} onChange={(source) => show({ source })} />
      <ChoiceFilter
        label="Payment"
        choices={stateOptions}
        value={search.state}
        onChange={(state) => show({ state })}
      />
      <ChoiceFilter
        label="Credit"
        choices={creditOptions}
        value={search.attributed}
        onChange={(attributed) => show({ attributed })}
      />
      {search.webinar === undefined ? null : (
        <InteractionFilter
          label="Offer"
          webinarId={search.webinar}
          types={offerTypes}
          value={search.offer}
          onChange={(offer) => show({ offer })}
        />
      )}
      <SearchFilter
        label="E-mail"
        placeholder="Whole address"
        value={search.email}
        onChange={(email) => show({ email: email?.toLowerCase() })}
      />
    </FilterBar>
  );
}

function SourceFilter({ value, onChange }: FilterProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.revenueSources.list.queryOptions());
  const names = data?.data.map(({ provider }) => provider) ?? [];
  const known = value === undefined || names.includes(value) ? names : [...names, value];
  return (
    <ChoiceFilter
      label="Source"
      choices={known.map((source) => ({ value: source, label: sourceText(source) }))}
      value={value}
      onChange={onChange}
    />
  );
}
