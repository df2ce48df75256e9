import { Select } from '@mantine/core';
import { FilterBar, SearchFilter } from '../../components/filter-bar.tsx';
import type { WebhooksSearch } from './search.ts';

type Filters = Pick<WebhooksSearch, 'kind' | 'state' | 'q'>;

interface EndpointFiltersProps {
  search: Filters;
  show: (change: Filters) => void;
}

const kinds = [
  { value: 'all', label: 'All' },
  { value: 'rule', label: 'Rules' },
  { value: 'webhook', label: 'Subscriptions' },
] as const;

const states = [
  { value: 'all', label: 'All' },
  { value: 'trouble', label: 'In trouble' },
  { value: 'off', label: 'Off' },
] as const;

export function EndpointFilters({ search, show }: EndpointFiltersProps) {
  return (
    <FilterBar>
      <SearchFilter label="Name or URL" value={search.q} onChange={(q) => show({ q })} />
      <Select
        label="Kind"
        allowDeselect={false}
        data={kinds}
        value={search.kind ?? 'all'}
        onChange={(kind) => show({ kind: kind === 'all' ? undefined : (kind ?? undefined) })}
      />
      <Select
        label="State"
        allowDeselect={false}
        data={states}
        value={search.state ?? 'all'}
        onChange={(state) => show({ state: state === 'all' ? undefined : (state ?? undefined) })}
      />
    </FilterBar>
  );
}
