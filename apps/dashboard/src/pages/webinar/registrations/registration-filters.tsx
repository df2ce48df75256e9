import { Button, CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { ChoiceFilter, InteractionFilter } from '../../../components/choice-filter.tsx';
import styles from './registration-filters.module.css';
import { sourceTexts, statusStyles } from './registration-texts.ts';
import { registrationSources, registrationStatuses } from './search.ts';
import { SessionFilter } from './session-filter.tsx';
import { hasFilters, noFilters, useRegistrationsSearch } from './use-registrations-search.ts';

const statuses = registrationStatuses.map((value) => ({ value, label: statusStyles[value].word }));
const sources = registrationSources.map((value) => ({ value, label: sourceTexts[value] }));

const purchases = [
  { value: 'yes' as const, label: 'Bought' },
  { value: 'no' as const, label: 'Did not buy' },
];

/** The filters of the list. They are in the URL. */
export function RegistrationFilters() {
  const { webinarId, search, show } = useRegistrationsSearch();
  return (
    <search className={styles['filters']} aria-label="Filters">
      <SearchField />
      <SessionFilter />
      <ChoiceFilter
        label="Status"
        choices={statuses}
        value={search.status}
        onChange={(status) => show({ status })}
      />
      <ChoiceFilter
        label="Source"
        choices={sources}
        value={search.source}
        onChange={(source) => show({ source })}
      />
      <TextInput
        label="Registered from"
        type="date"
        value={search.from ?? ''}
        onChange={(event) => show({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        label="Registered until"
        type="date"
        value={search.to ?? ''}
        onChange={(event) => show({ to: event.currentTarget.value || undefined })}
      />
      <InteractionFilter
        label="Clicked"
        webinarId={webinarId}
        types={clickableTypes}
        value={search.clicked}
        onChange={(clicked) => show({ clicked })}
      />
      <ChoiceFilter
        label="Purchase"
        choices={purchases}
        value={search.bought}
        onChange={(bought) => show({ bought })}
      />
      {hasFilters(search) ? (
        <Button className={styles['clear']} variant="default" onClick={() => show(noFilters)}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}

/** Polls have answers instead of clicks. */
const clickableTypes = ['offer', 'cta', 'handout'] as const;

const typingMs = 250;

/** The URL follows when typing pauses. */
function SearchField() {
  const { search, show } = useRegistrationsSearch();
  const [text, setText] = useState(search.q ?? '');
  // The words of the URL that are known here: those that were typed, or the last ones from outside.
  const [known, setKnown] = useState(search.q);
  const [seen, setSeen] = useState(search.q);
  if (search.q !== seen) {
    setSeen(search.q);
    if (search.q !== known) setText(search.q ?? '');
    setKnown(search.q);
  }
  const apply = useDebouncedCallback((typed: string) => {
    const q = typed.trim() || undefined;
    setKnown(q);
    show({ q }, { replace: true });
  }, typingMs);
  const change = (typed: string) => {
    setText(typed);
    apply(typed);
  };
  return (
    <TextInput
      className={styles['search']}
      label="Name or e-mail"
      placeholder="Beginning of a word"
      maxLength={100}
      leftSection={<IconSearch size={15} />}
      rightSection={text === '' ? null : <CloseButton aria-label="Clear search" onClick={() => change('')} />}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
