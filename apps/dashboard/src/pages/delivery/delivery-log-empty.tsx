import { Button, Group, Text } from '@mantine/core';
import { IconFilterOff, IconSend } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { useRetention } from '../../retention.ts';
import { timeRanges } from '../../time-ranges.ts';
import { defaultRange, isFiltered, noFilters, type DeliverySearch } from './search.ts';

interface NoDeliveriesProps {
  search: DeliverySearch;
  show: (change: DeliverySearch) => void;
  /** Older deliveries were not searched yet. */
  hasMore: boolean;
}

/** Shown when nothing was sent, or nothing matches the filters. */
export function NoDeliveries({ search, show, hasMore }: NoDeliveriesProps) {
  const retention = useRetention();
  if (hasMore) {
    return (
      <Text size="sm" c="dimmed" ta="center" py="lg">
        No match among the newest deliveries. Load more to search older ones.
      </Text>
    );
  }
  const range = search.range ?? defaultRange;
  const isWidest = search.from === undefined && range === 'last_90_days';
  const wider = isWidest ? null : (
    <Button variant="default" onClick={() => show({ range: 'last_90_days', from: undefined, to: undefined })}>
      Show the last 90 days
    </Button>
  );
  if (isFiltered(search)) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No deliveries match these filters"
        action={
          <Group gap="xs" justify="center">
            <Button onClick={() => show(noFilters)}>Clear filters</Button>
            {wider}
          </Group>
        }
      >
        {retention ? `Deliveries are kept ${retention.history}.` : null}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconSend}
      title={`No deliveries in the ${timeRanges[range].text.toLowerCase()}`}
      action={wider}
    >
      A delivery appears here when its event happens. Send a test to check whether the endpoint answers.
    </EmptyState>
  );
}
