import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@service/icons';
import { useState } from 'react';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import type { WebinarsSearch } from './search.ts';
import styles from './webinar-filters.module.css';

type Filters = Pick<WebinarsSearch, 'q' | 'status' | 'kind'>;

interface WebinarFiltersProps {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
}

const typingMs = 250;

const statuses = [
  { value: 'draft', label: 'Draft' },
  { value: 'published', label: 'Published' },
  { value: 'archived', label: 'Archived' },
] as const;

const kinds = [
  { value: 'standard', label: 'Standard' },
  { value: 'adaptive', label: 'Adaptive' },
] as const;

export function WebinarFilters({ filters: { q, status, kind }, onChange }: WebinarFiltersProps) {
  return (
    <search className={styles['filters']} aria-label="Filters">
      <TitleSearch q={q} onChange={(change) => onChange({ q: change })} />
      <ChoiceFilter
        label="Status"
        choices={statuses}
        value={status}
        onChange={(status) => onChange({ status })}
      />
      <ChoiceFilter label="Kind" choices={kinds} value={kind} onChange={(kind) => onChange({ kind })} />
    </search>
  );
}

/** Searches after a pause in typing. The text follows the URL, for example after Back. */
function TitleSearch({ q, onChange }: { q: string | undefined; onChange: (q: string | undefined) => void }) {
  const [typed, setTyped] = useState(q ?? '');
  // The URL follows what was typed. It leads only after a change of its own, such as Back.
  const [known, setKnown] = useState(q);
  const search = useDebouncedCallback((text: string) => {
    const sent = text.trim() || undefined;
    setKnown(sent);
    onChange(sent);
  }, typingMs);
  const [shown, setShown] = useState(q);
  if (q !== shown) {
    setShown(q);
    if (q !== known) {
      setKnown(q);
      setTyped(q ?? '');
    }
  }
  const type = (text: string) => {
    setTyped(text);
    search(text);
  };
  return (
    <TextInput
      label="Title contains"
      leftSection={<IconSearch size={15} aria-hidden />}
      rightSection={
        typed === '' ? null : <CloseButton size="sm" aria-label="Clear the search" onClick={() => type('')} />
      }
      maxLength={200}
      autoComplete="off"
      className={styles['search']}
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
