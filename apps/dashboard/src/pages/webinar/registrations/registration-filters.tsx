import { Button, CloseButton, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useInteractions } from '../interactions/use-interactions.ts';
import styles from './registration-filters.module.css';
import { sourceTexts, statusStyles } from './registration-texts.ts';
import { registrationSources, registrationStatuses } from './search.ts';
import { SessionFilter } from './session-filter.tsx';
import { hasFilters, noFilters, useRegistrationsSearch } from './use-registrations-search.ts';

const all = 'all' as const;

const statuses = [
  { value: all, label: 'All' },
  ...registrationStatuses.map((value) => ({ value, label: statusStyles[value].word })),
];
const sources = [
  { value: all, label: 'All' },
  ...registrationSources.map((value) => ({ value, label: sourceTexts[value] })),
];

const purchases = [
  { value: all, label: 'All' },
  { value: 'yes' as const, label: 'Bought' },
  { value: 'no' as const, label: 'Did not buy' },
];

/** The filters of the list. They are in the URL. */
export function RegistrationFilters() {
  const { search, show } = useRegistrationsSearch();
  return (
    <search className={styles['filters']} aria-label="Filters">
      <SearchField />
      <SessionFilter />
      <Select
        label="Status"
        allowDeselect={false}
        data={statuses}
        value={search.status ?? all}
        onChange={(status) => show({ status: status === all ? undefined : (status ?? undefined) })}
      />
      <Select
        label="Source"
        allowDeselect={false}
        data={sources}
        value={search.source ?? all}
        onChange={(source) => show({ source: source === all ? undefined : (source ?? undefined) })}
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
      <ClickedFilter />
      <Select
        label="Purchase"
        allowDeselect={false}
        data={purchases}
        value={search.bought ?? all}
        onChange={(bought) => show({ bought: bought === all ? undefined : (bought ?? undefined) })}
      />
      {hasFilters(search) ? (
        <Button className={styles['clear']} variant="default" onClick={() => show(noFilters)}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}

/** Offers, CTAs and handouts of the webinar. Polls have answers instead of clicks. */
function ClickedFilter() {
  const { search, show } = useRegistrationsSearch();
  const { data } = useInteractions();
  const clickable = data?.filter(({ type }) => type !== 'poll') ?? [];
  const { clicked } = search;
  const isUnknown = clicked !== undefined && !clickable.some(({ id }) => id === clicked);
  return (
    <Select
      label="Clicked"
      allowDeselect={false}
      searchable={clickable.length > 8}
      nothingFoundMessage="No such interaction"
      data={[
        { value: all, label: 'All' },
        ...clickable.map(({ id, internalName }) => ({ value: id, label: internalName })),
        ...(isUnknown ? [{ value: clicked, label: `…${clicked.slice(-12)}` }] : []),
      ]}
      value={clicked ?? all}
      onChange={(id) => show({ clicked: id === all ? undefined : (id ?? undefined) })}
    />
  );
}

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
