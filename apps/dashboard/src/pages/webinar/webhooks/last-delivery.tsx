import { Group, Skeleton, Text } from '@mantine/core';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { StatusButton } from '../../../components/status.tsx';
import type { NewestDelivery } from '../../../trpc.ts';
import { deliveryStyles } from '../../delivery/delivery-status.tsx';
import { useOpenDelivery } from '../use-webinar.ts';

interface LastDeliveryProps {
  /** The name of the subscription. */
  name: string;
  /** By the id of the source. Undefined while they are loading. */
  newest: ReadonlyMap<string, NewestDelivery> | undefined;
  sourceId: string;
}

/** The status and the time of the newest delivery. It opens the delivery. */
export function LastDelivery({ name, newest, sourceId }: LastDeliveryProps) {
  const [, open] = useOpenDelivery();
  if (!newest) return <Skeleton height={16} width={96} radius="xl" />;
  const delivery = newest.get(sourceId);
  if (!delivery) {
    return (
      <Text span inherit c="dimmed">
        None
      </Text>
    );
  }
  const { word, ...style } = deliveryStyles[delivery.status];
  return (
    <Group gap={8} wrap="nowrap">
      <StatusButton {...style} label={`Last delivery of ${name}: ${word}`} onClick={() => open(delivery.id)}>
        {word}
      </StatusButton>
      <RelativeTime at={delivery.createdAt} />
    </Group>
  );
}
