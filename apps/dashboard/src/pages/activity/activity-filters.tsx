import { allSurfaces, surfaces } from '@service/catalogue';
import { useQuery } from '@tanstack/react-query';
import { ChoiceFilter, type FilterProps } from '../../components/choice-filter.tsx';
import { FilterBar, SearchFilter } from '../../components/filter-bar.tsx';
import { TimeRangeFilter } from '../../components/time-range-filter.tsx';
import { useTRPC } from '../../trpc.ts';
import { defaultRange, useActivitySearch } from './search.ts';

const surfaceFilters = allSurfaces.map((value) => ({ value, label: surfaces[value].tag }));

const statuses = [
  { value: 'success', label: 'Success' },
  { value: 'failure', label: 'Failure' },
] as const;

export function ActivityFilters() {
  const { search, show } = useActivitySearch();
  return (
    <FilterBar>
      <ChoiceFilter
        label="Surface"
        choices={surfaceFilters}
        value={search.surface}
        onChange={(surface) => show({ surface })}
      />
      <TimeRangeFilter search={search} defaultRange={defaultRange} onChange={show} />
      <CallerSelect value={search.key} onChange={(key) => show({ key })} />
      <ChoiceFilter
        label="Status"
        choices={statuses}
        value={search.status}
        onChange={(status) => show({ status })}
      />
      <SearchFilter
        label="Error code"
        placeholder="validation_failed"
        value={search.code}
        onChange={(code) => show({ code: code?.toLowerCase() })}
      />
      <SearchFilter
        label="Request id"
        placeholder="X-Request-Id"
        value={search.request}
        onChange={(request) => show({ request })}
      />
    </FilterBar>
  );
}

/** API keys and AI clients with calls, revoked ones included. */
function CallerSelect({ value, onChange }: FilterProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.activity.keys.queryOptions());
  const keys = data?.data ?? [];
  const optionsOf = (wanted: (typeof keys)[number]['kind']) =>
    keys
      .filter(({ kind }) => kind === wanted)
      .map(({ id, label }) => ({
        value: id,
        // Several may have the same label. The end of the id distinguishes them.
        label: keys.some((other) => other.id !== id && other.label === label)
          ? `${label} …${id.slice(-4)}`
          : label,
      }));
  const groups = [
    { group: 'API keys', items: optionsOf('key') },
    { group: 'AI clients', items: optionsOf('grant') },
  ].filter(({ items }) => items.length > 0);
  return (
    <ChoiceFilter
      label="Key or client"
      searchable={keys.length > 8}
      nothingFoundMessage="No such key or client"
      choices={groups}
      value={value}
      onChange={onChange}
    />
  );
}
