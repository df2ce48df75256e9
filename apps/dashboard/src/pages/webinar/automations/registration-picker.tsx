import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SessionTime } from '../../../components/session-time.tsx';
import { useTRPC, type Registration } from '../../../trpc.ts';

interface RegistrationPickerProps {
  webinarId: string;
  label: string;
  /** The id of the chosen registration. */
  value: string | undefined;
  onChange: (registrationId: string | undefined) => void;
}

const pauseMs = 300;
const shownMax = 20;
const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Finds an attendee by name or e-mail, or by a pasted registration id. One person may have several sessions. */
export function RegistrationPicker({ webinarId, label, value, onChange }: RegistrationPickerProps) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), pauseMs);
  const pastedId = isId(search) ? search.toLowerCase() : undefined;
  const found = useQuery(
    trpc.registrations.list.queryOptions(
      pastedId ? skipToken : { webinarId, limit: shownMax, ...(search !== '' && { q: search }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const pasted = useRegistration(webinarId, pastedId);
  const chosen = useRegistration(webinarId, value);
  const timeZone = useQuery(trpc.webinars.get.queryOptions({ webinarId })).data?.data.timezone;
  const listed = pastedId ? [pasted].filter((one) => one !== undefined) : (found.data?.data ?? []);
  const known = chosen && !listed.some(({ id }) => id === chosen.id) ? [chosen, ...listed] : listed;
  const byId = new Map(known.map((registration) => [registration.id, registration]));
  return (
    <Select
      label={label}
      placeholder="Name, e-mail or registration id"
      searchable
      clearable
      maw={420}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'No such attendee in this webinar'}
      data={known.map((registration) => ({ value: registration.id, label: nameOf(registration) }))}
      // The service searches.
      filter={({ options }) => options}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      onSearchChange={(text) => setTyped(chosen && text === nameOf(chosen) ? '' : text)}
      renderOption={({ option }) => {
        const registration = byId.get(option.value);
        return registration ? (
          <div style={{ overflowWrap: 'anywhere' }}>
            {option.label}
            <Text size="xs" c="dimmed" component="div">
              <SessionTime at={registration.sessionTime} timeZone={timeZone} />
            </Text>
          </div>
        ) : (
          option.label
        );
      }}
    />
  );
}

const nameOf = ({ name, email }: Pick<Registration, 'name' | 'email'>): string => `${name} (${email})`;

export function useRegistration(webinarId: string, registrationId: string | undefined) {
  const trpc = useTRPC();
  return useQuery(
    trpc.registrations.get.queryOptions(
      registrationId === undefined ? skipToken : { webinarId, registrationId },
      { retry: false },
    ),
  ).data?.data;
}
