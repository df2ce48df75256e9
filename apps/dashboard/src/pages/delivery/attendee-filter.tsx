import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clearButtonProps } from '../../clear-button.ts';
import { useTRPC } from '../../trpc.ts';

interface AttendeeFilterProps {
  /** Undefined for the registrations of all webinars. */
  webinarId: string | undefined;
  /** The id of a registration. */
  attendee: string | undefined;
  onChange: (attendee: string | undefined) => void;
}

interface Person {
  id: string;
  name: string;
  email: string;
  /** Shown where the people of several webinars are listed. */
  webinarTitle?: string;
}

const typingMs = 250;

/** Finds a registration by the name or the e-mail address, in one webinar or in all of them. */
export function AttendeeFilter({ webinarId, attendee, onChange }: AttendeeFilterProps) {
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), typingMs);
  const chosen = useRegistrant(attendee);
  const { people, isSearching } = useFoundPeople(webinarId, wanted);
  const byId = new Map<string, Person>((chosen ? [chosen, ...people] : people).map(entryOf));
  const options = [...byId.values()].map((person) => ({ value: person.id, label: nameOf(person) }));
  if (attendee !== undefined && !byId.has(attendee))
    options.push({ value: attendee, label: `…${attendee.slice(-12)}` });
  return (
    <Select
      label="Attendee"
      placeholder="Name or e-mail"
      searchable
      clearable
      clearButtonProps={clearButtonProps('All attendees')}
      // The service has searched already.
      filter={({ options: given }) => given}
      nothingFoundMessage={nothingText(wanted, isSearching)}
      data={options}
      value={attendee ?? null}
      onSearchChange={(text) => setTyped(chosen && text === nameOf(chosen) ? '' : text)}
      onChange={(id) => onChange(id ?? undefined)}
      renderOption={({ option }) => (
        <div style={{ overflowWrap: 'anywhere' }}>
          {option.label}
          <TitleOf person={byId.get(option.value)} />
        </div>
      )}
    />
  );
}

const TitleOf = ({ person }: { person: Person | undefined }) =>
  person?.webinarTitle === undefined ? null : (
    <Text size="xs" c="dimmed" component="div">
      {person.webinarTitle}
    </Text>
  );

const entryOf = (person: Person): [string, Person] => [person.id, person];
const nameOf = ({ name, email }: Person): string => `${name} (${email})`;

function nothingText(wanted: string, isSearching: boolean): string {
  if (wanted === '') return 'Type a name or an e-mail address';
  return isSearching ? 'Searching…' : 'No such registration';
}

function useRegistrant(id: string | undefined): Person | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.registrations.byIds.queryOptions(
      { ids: id === undefined ? [] : [id] },
      { enabled: id !== undefined, staleTime: 60_000 },
    ),
  );
  return data?.data[0];
}

const foundMax = 20;

function useFoundPeople(
  webinarId: string | undefined,
  q: string,
): { people: readonly Person[]; isSearching: boolean } {
  const trpc = useTRPC();
  const options = (enabled: boolean) => ({
    enabled: enabled && q !== '',
    placeholderData: keepPreviousData,
  });
  const inWebinar = useQuery(
    trpc.registrations.list.queryOptions(
      { webinarId: webinarId!, q, limit: foundMax },
      options(webinarId !== undefined),
    ),
  );
  const inWorkspace = useQuery(trpc.registrations.find.queryOptions({ q }, options(webinarId === undefined)));
  const { data, isFetching } = webinarId === undefined ? inWorkspace : inWebinar;
  return { people: q === '' ? [] : (data?.data ?? []), isSearching: isFetching };
}
