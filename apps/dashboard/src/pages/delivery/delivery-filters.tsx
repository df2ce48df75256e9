import { Select } from '@mantine/core';
import { useState } from 'react';
import { FilterBar, TimeRangeFilter } from '../../components/filter-bar.tsx';
import { useTriggers } from '../webinar/automations/use-triggers.ts';
import { AttendeeFilter } from './attendee-filter.tsx';
import { CodeFilter } from './code-filter.tsx';
import type { DeliveryScope } from './delivery-scope.ts';
import { deliveryStyles, deliveryStatuses } from './delivery-status.ts';
import { EndpointFilter } from './endpoint-filter.tsx';
import { defaultRange, type DeliverySearch } from './search.ts';

interface DeliveryFiltersProps {
  scope: DeliveryScope;
  search: DeliverySearch;
  show: (change: DeliverySearch) => void;
}

const all = 'all' as const;

const statuses = [
  { value: all, label: 'All' },
  ...deliveryStatuses.map((value) => ({ value, label: deliveryStyles[value].word })),
];

/** The filters of a list of deliveries. They are in the URL. */
export function DeliveryFilters({ scope, search, show }: DeliveryFiltersProps) {
  const { webinarId, source } = scope;
  return (
    <FilterBar>
      <Select
        label="Status"
        allowDeselect={false}
        data={statuses}
        value={search.status ?? all}
        onChange={(status) => show({ status: status === all ? undefined : (status ?? undefined) })}
      />
      <TimeRangeFilter range={search.range} defaultRange={defaultRange} onChange={show} />
      <EventFilter event={search.event} onChange={(event) => show({ event })} />
      {source ? null : (
        <EndpointFilter
          webinarId={webinarId}
          endpoint={search.endpoint}
          onChange={(endpoint) => show({ endpoint })}
        />
      )}
      <CodeFilter code={search.code} onChange={(code) => show({ code })} />
      <AttendeeFilter
        webinarId={webinarId ?? source?.webinarId}
        attendee={search.attendee}
        onChange={(attendee) => show({ attendee })}
      />
    </FilterBar>
  );
}

interface EventFilterProps {
  event: string | undefined;
  onChange: (event: string | undefined) => void;
}

/** All event types of the catalogue, since the trigger of a rule may have been another one earlier. */
function EventFilter({ event, onChange }: EventFilterProps) {
  // A list with closed filters does not wait for them.
  const [isOpened, setIsOpened] = useState(false);
  const types = (useTriggers({ enabled: isOpened }) ?? []).map(({ type }) => type as string);
  const known = event === undefined || types.includes(event) ? types : [event, ...types];
  return (
    <Select
      label="Event type"
      allowDeselect={false}
      searchable
      nothingFoundMessage="No such event type"
      data={[{ value: all, label: 'All' }, ...known.map((type) => ({ value: type, label: type }))]}
      value={event ?? all}
      onDropdownOpen={() => setIsOpened(true)}
      onChange={(type) => onChange(type === all || type === null ? undefined : type)}
    />
  );
}
