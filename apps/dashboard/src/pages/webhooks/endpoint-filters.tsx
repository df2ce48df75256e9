import { CloseButton, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import filterStyles from '../delivery/delivery-filters.module.css';
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
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? search.q ?? '';
  const apply = (text: string) => {
    show({ q: text.trim() || undefined });
    setTyped(undefined);
  };
  return (
    <search className={filterStyles['filters']} aria-label="Filters">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply(shown);
        }}
      >
        <TextInput
          label="Name or URL"
          maxLength={100}
          spellCheck={false}
          autoComplete="off"
          leftSection={<IconSearch size={14} />}
          rightSection={
            shown === '' ? null : (
              <CloseButton size="sm" aria-label="Clear the search" onClick={() => apply('')} />
            )
          }
          value={shown}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => (typed === undefined ? undefined : apply(shown))}
        />
      </form>
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
    </search>
  );
}
