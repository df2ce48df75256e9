import { Button, Group, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useNeighbours } from './listed-deliveries.ts';

interface DrawerStepsProps {
  deliveryId: string;
  onShow: (deliveryId: string) => void;
}

/** Goes through the list on the page: buttons, and the keys K and J. Loads more deliveries at the end of the list. */
export function DrawerSteps({ deliveryId, onShow }: DrawerStepsProps) {
  const { place, count, previous, next, loadMore } = useNeighbours(deliveryId);
  /** The last delivery of the list while more are being loaded after it. */
  const [waitingAfter, setWaitingAfter] = useState<string>();
  const isWaiting = waitingAfter === deliveryId;
  useEffect(() => {
    if (isWaiting && next !== undefined) onShow(next);
  }, [isWaiting, next, onShow]);
  const goBack = () => {
    setWaitingAfter(undefined);
    if (previous !== undefined) onShow(previous);
  };
  const goOn = () => {
    if (next !== undefined) onShow(next);
    else if (loadMore && !isWaiting) {
      setWaitingAfter(deliveryId);
      loadMore();
    }
  };
  useHotkeys([
    ['K', goBack],
    ['J', goOn],
  ]);
  if (place === 0) return null;
  return (
    <Group gap="xs" mb="md">
      <Button
        variant="default"
        leftSection={<IconChevronUp size={14} />}
        aria-keyshortcuts="K"
        title="Newer delivery (K)"
        disabled={previous === undefined}
        onClick={goBack}
      >
        Previous
      </Button>
      <Button
        variant="default"
        leftSection={<IconChevronDown size={14} />}
        aria-keyshortcuts="J"
        title="Older delivery (J)"
        disabled={next === undefined && loadMore === undefined}
        loading={isWaiting}
        onClick={goOn}
      >
        Next
      </Button>
      <Text size="xs" c="dimmed" aria-live="polite">
        {place} of {count}
        {loadMore ? '+' : ''}
      </Text>
    </Group>
  );
}
