import { Select } from '@mantine/core';
import { allSurfaces, surfaces } from '@service/catalogue';
import { useQuery } from '@tanstack/react-query';
import { FilterBar, SearchFilter, TimeRangeFilter } from '../../components/filter-bar.tsx';
import { useTRPC } from '../../trpc.ts';
import { defaultRange } from './search.ts';
import { useActivitySearch } from './use-activity-search.ts';

const surfaceFilters = [
  { value: 'all' as const, label: 'All' },
  ...allSurfaces.map((value) => ({ value, label: surfaces[value].tag })),
];

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'success', label: 'Success' },
  { value: 'failure', label: 'Failure' },
] as const;

export function ActivityFilters() {
  const { search, show } = useActivitySearch();
  return (
    <FilterBar>
      <Select
        label="Surface"
        allowDeselect={false}
        data={surfaceFilters}
        value={search.surface ?? 'all'}
        onChange={(surface) => show({ surface: surface === 'all' ? undefined : (surface ?? undefined) })}
      />
      <TimeRangeFilter range={search.range} defaultRange={defaultRange} onChange={show} />
      <CallerSelect keyId={search.key} onChange={(key) => show({ key })} />
      <Select
        label="Status"
        allowDeselect={false}
        data={statuses}
        value={search.status ?? 'all'}
        onChange={(status) => show({ status: status === 'all' ? undefined : (status ?? undefined) })}
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

interface CallerSelectProps {
  keyId: string | undefined;
  onChange: (keyId: string | undefined) => void;
}

/** API keys and AI clients with calls, revoked ones included. */
function CallerSelect({ keyId, onChange }: CallerSelectProps) {
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
  const isUnknown = keyId !== undefined && !keys.some(({ id }) => id === keyId);
  return (
    <Select
      label="Key or client"
      allowDeselect={false}
      searchable={keys.length > 8}
      nothingFoundMessage="No such key or client"
      data={[
        { value: 'all', label: 'All' },
        ...groups,
        ...(isUnknown ? [{ value: keyId, label: `…${keyId.slice(-12)}` }] : []),
      ]}
      value={keyId ?? 'all'}
      onChange={(id) => onChange(id === 'all' || id === null ? undefined : id)}
    />
  );
}
