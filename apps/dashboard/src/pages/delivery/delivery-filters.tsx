import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceFilter, type FilterProps } from '../../components/choice-filter.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { TimeRangeFilter } from '../../components/time-range-filter.tsx';
import { clearButtonProps } from '../../theme.tsx';
import { useTRPC } from '../../trpc.ts';
import { useNamedSources } from '../source/use-sources.ts';
import { useTriggers } from '../webinar/automations/use-triggers.ts';
import { deliveryStatuses, deliveryStyles } from './delivery-status.tsx';
import { codeClasses, defaultRange, type DeliverySearch } from './search.ts';
import type { DeliveryScope } from './use-deliveries.ts';

interface DeliveryFiltersProps {
  scope: DeliveryScope;
  search: DeliverySearch;
  show: (change: DeliverySearch) => void;
}

const statuses = deliveryStatuses.map((value) => ({ value, label: deliveryStyles[value].word }));

/** The filters of a list of deliveries. They are in the URL. */
export function DeliveryFilters({ scope, search, show }: DeliveryFiltersProps) {
  const { webinarId, source } = scope;
  return (
    <FilterBar>
      <ChoiceFilter
        label="Status"
        choices={statuses}
        value={search.status}
        onChange={(status) => show({ status })}
      />
      <TimeRangeFilter search={search} defaultRange={defaultRange} onChange={show} />
      <EventFilter value={search.event} onChange={(event) => show({ event })} />
      {source ? null : (
        <EndpointFilter
          webinarId={webinarId}
          value={search.endpoint}
          onChange={(endpoint) => show({ endpoint })}
        />
      )}
      <CodeFilter value={search.code} onChange={(code) => show({ code })} />
      <AttendeeFilter
        webinarId={webinarId ?? source?.webinarId}
        value={search.attendee}
        onChange={(attendee) => show({ attendee })}
      />
    </FilterBar>
  );
}

/** All event types of the catalogue, since the trigger of a rule may have been another one earlier. */
function EventFilter({ value, onChange }: FilterProps) {
  // A list with closed filters does not wait for them.
  const [isOpened, setIsOpened] = useState(false);
  const types = (useTriggers({ enabled: isOpened }) ?? []).map(({ type }) => type as string);
  const known = value === undefined || types.includes(value) ? types : [value, ...types];
  return (
    <ChoiceFilter
      label="Event type"
      searchable
      nothingFoundMessage="No such event type"
      choices={known.map((type) => ({ value: type, label: type }))}
      value={value}
      onDropdownOpen={() => setIsOpened(true)}
      onChange={onChange}
    />
  );
}

const classTexts: Record<(typeof codeClasses)[number], string> = {
  '2xx': '2xx, accepted',
  '3xx': '3xx, redirected',
  '4xx': '4xx, refused',
  '5xx': '5xx, endpoint failed',
  none: 'No answer',
};

const fixed = codeClasses.map((value) => ({ value, label: classTexts[value] }));

const isCode = (text: string): boolean => /^[1-5]\d\d$/.test(text);

/** A class of status codes, or one code that a person types. */
function CodeFilter({ value, onChange }: FilterProps) {
  const [typed, setTyped] = useState('');
  const exact = [...new Set([value ?? '', typed.trim()])].filter(isCode);
  return (
    <ChoiceFilter
      label="Response code"
      searchable
      nothingFoundMessage="Type a code, such as 410"
      choices={[...fixed, ...exact.map((code) => ({ value: code, label: code }))]}
      value={value}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
}

interface IdFilterProps extends FilterProps {
  /** Undefined for the records of all webinars. */
  webinarId: string | undefined;
}

/** A rule or subscription of the webinar or of the workspace. The value is its id. */
function EndpointFilter({ webinarId, value, onChange }: IdFilterProps) {
  const names = useNamedSources(webinarId).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <ChoiceFilter
      label="Endpoint"
      searchable={names.length > 8}
      nothingFoundMessage="No such endpoint"
      choices={names}
      value={value}
      onChange={onChange}
    />
  );
}

interface Person {
  id: string;
  name: string;
  email: string;
  /** Shown where the people of several webinars are listed. */
  webinarTitle?: string;
}

const typingMs = 250;

/** Finds a registration by the name or the e-mail address, in one webinar or in all of them. The value is its id. */
export function AttendeeFilter({ webinarId, value, onChange }: IdFilterProps) {
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), typingMs);
  const chosen = useRegistrant(value);
  const { people, isSearching } = useFoundPeople(webinarId, wanted);
  const byId = new Map<string, Person>((chosen ? [chosen, ...people] : people).map(entryOf));
  const options = [...byId.values()].map((person) => ({ value: person.id, label: nameOf(person) }));
  if (value !== undefined && !byId.has(value)) options.push({ value, label: `…${value.slice(-12)}` });
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
      value={value ?? null}
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
