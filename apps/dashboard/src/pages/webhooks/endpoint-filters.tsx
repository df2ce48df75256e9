import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { FilterBar, SearchFilter } from '../../components/filter-bar.tsx';
import type { WebhooksSearch } from './search.ts';

type Filters = Pick<WebhooksSearch, 'kind' | 'state' | 'q'>;

interface EndpointFiltersProps {
  search: Filters;
  show: (change: Filters) => void;
}

const kinds = [
  { value: 'rule', label: 'Rules' },
  { value: 'webhook', label: 'Subscriptions' },
] as const;

const states = [
  { value: 'trouble', label: 'In trouble' },
  { value: 'off', label: 'Off' },
] as const;

export function EndpointFilters({ search, show }: EndpointFiltersProps) {
  return (
    <FilterBar>
      <SearchFilter label="Name or URL" value={search.q} onChange={(q) => show({ q })} />
      <ChoiceFilter label="Kind" choices={kinds} value={search.kind} onChange={(kind) => show({ kind })} />
      <ChoiceFilter
        label="State"
        choices={states}
        value={search.state}
        onChange={(state) => show({ state })}
      />
    </FilterBar>
  );
}
