import { Button, Text } from '@mantine/core';
import { IconFilterOff, IconSend } from '@tabler/icons-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { useRetention } from '../../retention.ts';
import { useSourceSearch } from './use-source-search.ts';

/** Shown when nothing was sent, or nothing matches the filters. `hasMore`: older deliveries were not searched yet. */
export function NoDeliveries({ hasMore }: { hasMore: boolean }) {
  const { search, show } = useSourceSearch();
  const retention = useRetention();
  const isFiltered = search.status !== undefined || search.event !== undefined;
  if (hasMore) {
    return (
      <Text size="sm" c="dimmed" ta="center" py="lg">
        No match among the newest deliveries. Load more to search older ones.
      </Text>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No deliveries match these filters"
        action={<Button onClick={() => show({ status: undefined, event: undefined })}>Clear filters</Button>}
      >
        {retention ? `Deliveries are kept ${retention.history}.` : null}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconSend} title="Nothing sent yet">
      The first delivery appears here when its event happens. Send a test to check whether the receiver
      answers.
    </EmptyState>
  );
}
