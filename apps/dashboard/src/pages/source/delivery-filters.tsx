import { Select } from '@mantine/core';
import { deliveryStyles, deliveryStatuses } from '../delivery/delivery-status.ts';
import { useTriggers } from '../webinar/automations/use-triggers.ts';
import styles from './delivery-filters.module.css';
import type { Source } from './source.ts';
import { useSourceSearch } from './use-source-search.ts';

const all = 'all' as const;

const statuses = [
  { value: all, label: 'All' },
  ...deliveryStatuses.map((value) => ({ value, label: deliveryStyles[value].word })),
];

/** The filters of the list. They are in the URL. */
export function DeliveryFilters({ source }: { source: Source | undefined }) {
  const { ref, search, show } = useSourceSearch();
  const { event } = search;
  // The current event types, in the order of the catalogue. The URL may name an earlier one.
  const known = (useTriggers() ?? [])
    .map(({ type }) => type)
    .filter((type) => source?.eventTypes.includes(type) === true || type === event);
  return (
    <search className={styles['filters']} aria-label="Filters">
      <Select
        label="Status"
        allowDeselect={false}
        data={statuses}
        value={search.status ?? all}
        onChange={(status) => show({ status: status === all ? undefined : (status ?? undefined) })}
      />
      {ref.kind === 'webhook' || known.length > 1 ? (
        <Select
          label="Event type"
          allowDeselect={false}
          data={[{ value: all, label: 'All' }, ...known.map((type) => ({ value: type, label: type }))]}
          value={event ?? all}
          onChange={(type) => show({ event: type === all ? undefined : (type ?? undefined) })}
        />
      ) : null}
    </search>
  );
}
