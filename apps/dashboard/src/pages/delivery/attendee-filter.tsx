import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../trpc.ts';

interface AttendeeFilterProps {
  /** Undefined on the page of the workspace, where a filter that is set can only be removed. */
  webinarId: string | undefined;
  /** The id of a registration. */
  attendee: string | undefined;
  onChange: (attendee: string | undefined) => void;
}

const typingMs = 250;
const foundMax = 20;

/** Finds a registration of the webinar by the name or the e-mail address. */
export function AttendeeFilter({ webinarId, attendee, onChange }: AttendeeFilterProps) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), typingMs);
  const chosen = useQuery(
    trpc.registrations.byIds.queryOptions(
      { ids: attendee === undefined ? [] : [attendee] },
      { enabled: attendee !== undefined, staleTime: 60_000 },
    ),
  ).data?.data[0];
  const found = useQuery(
    trpc.registrations.list.queryOptions(
      { webinarId: webinarId!, q: wanted, limit: foundMax },
      { enabled: webinarId !== undefined && wanted !== '', placeholderData: keepPreviousData },
    ),
  );
  if (webinarId === undefined && attendee === undefined) return null;
  const people = [...(chosen ? [chosen] : []), ...(found.data?.data ?? [])];
  const options = new Map(people.map(({ id, name, email }) => [id, `${name} (${email})`]));
  if (attendee !== undefined && !options.has(attendee)) options.set(attendee, `…${attendee.slice(-12)}`);
  return (
    <Select
      label="Attendee"
      placeholder="Name or e-mail"
      searchable={webinarId !== undefined}
      clearable
      clearButtonProps={{ 'aria-label': 'All attendees' }}
      // The service has searched already.
      filter={({ options: given }) => given}
      nothingFoundMessage={wanted === '' ? 'Type a name or an e-mail address' : 'No such registration'}
      data={[...options].map(([value, label]) => ({ value, label }))}
      value={attendee ?? null}
      onSearchChange={setTyped}
      onChange={(id) => onChange(id ?? undefined)}
    />
  );
}
