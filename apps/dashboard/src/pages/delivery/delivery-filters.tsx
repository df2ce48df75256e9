import { useState } from 'react';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
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
    <ChoiceFilter
      label="Event type"
      searchable
      nothingFoundMessage="No such event type"
      choices={known.map((type) => ({ value: type, label: type }))}
      value={event}
      onDropdownOpen={() => setIsOpened(true)}
      onChange={onChange}
    />
  );
}
