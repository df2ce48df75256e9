import { Button, CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { registrationSources, registrationStatuses } from '@service/attendees/inputs';
import { IconSearch } from '@service/icons';
import { useQueries } from '@tanstack/react-query';
import { useState, type ChangeEvent } from 'react';
import { ChoiceFilter, InteractionFilter } from '../../../components/choice-filter.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { useTRPC, type Session } from '../../../trpc.ts';
import type { RegistrationsSearch } from '../search.ts';
import { useRegistrationsSearch } from '../use-tab-search.ts';
import { useWebinar } from '../use-webinar.ts';
import { slotText, sourceTexts, statusStyles } from './registration-texts.ts';
import styles from './registrations.module.css';
import { hasFilters, noFilters } from './use-registrations.ts';

const statuses = registrationStatuses.map((value) => ({ value, label: statusStyles[value].word }));
const sources = registrationSources.map((value) => ({ value, label: sourceTexts[value] }));

const purchases = [
  { value: 'yes' as const, label: 'Bought' },
  { value: 'no' as const, label: 'Did not buy' },
];

/** The filters of the list. They are in the URL. */
export function RegistrationFilters() {
  const { webinarId, search, show } = useRegistrationsSearch();
  const filter = <Name extends keyof RegistrationsSearch>(name: Name) => ({
    value: search[name],
    onChange: (value: RegistrationsSearch[Name]) => show({ [name]: value }),
  });
  const day = (name: 'from' | 'to') => ({
    value: search[name] ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      show({ [name]: event.currentTarget.value || undefined }),
  });
  return (
    <FilterBar className={styles['filters']}>
      <SearchField />
      <SessionFilter />
      <ChoiceFilter label="Status" choices={statuses} {...filter('status')} />
      <ChoiceFilter label="Source" choices={sources} {...filter('source')} />
      <TextInput label="Registered from" type="date" {...day('from')} />
      <TextInput label="Registered until" type="date" {...day('to')} />
      <InteractionFilter
        label="Clicked"
        webinarId={webinarId}
        types={clickableTypes}
        {...filter('clicked')}
      />
      <ChoiceFilter label="Purchase" choices={purchases} {...filter('bought')} />
      {hasFilters(search) ? (
        <Button className={styles['clear']} data-always variant="default" onClick={() => show(noFilters)}>
          Clear filters
        </Button>
      ) : null}
    </FilterBar>
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

const lists = ['live', 'upcoming', 'past'] as const;
const sessionsMax = 50;

const labels = { live: 'Live', upcoming: 'Upcoming', past: 'Past and cancelled' };

/** Chooses one of the sessions nearest to now. They are read when the list opens. */
function SessionFilter() {
  const trpc = useTRPC();
  const { webinarId, search, show } = useRegistrationsSearch();
  const timeZone = useWebinar().data?.data.timezone;
  const [isOpened, setOpened] = useState(false);
  const sessions = useQueries({
    queries: lists.map((when) =>
      trpc.sessions.listByStart.queryOptions(
        { webinarId, when, limit: sessionsMax },
        { enabled: isOpened || search.session !== undefined },
      ),
    ),
    combine: (results) => results.map(({ data }) => data?.data ?? []),
  });
  const toOption = ({ id, startsAt, kind }: Session) => ({
    value: id,
    label: slotText({ startsAt, kind }, timeZone),
  });
  const groups = sessions.map((found, index) => ({
    group: labels[lists[index]!],
    items: found.map(toOption),
  }));
  const isListed = groups.some(({ items }) => items.some(({ value }) => value === search.session));
  return (
    <ChoiceFilter
      label="Session"
      searchable
      choices={[
        // A link can name a session that is not among the nearest.
        ...(search.session && !isListed ? [{ value: search.session, label: 'One session' }] : []),
        ...groups.filter(({ items }) => items.length > 0),
      ]}
      value={search.session}
      onChange={(session) => show({ session })}
      onDropdownOpen={() => setOpened(true)}
    />
  );
}
