import { Skeleton, Text } from '@mantine/core';
import { StatusButton } from '../../../components/status.tsx';
import type { DeliverySummary } from '../../../trpc.ts';
import { tallyOf } from './delivery-tally.ts';

interface DeliveryMarkProps {
  name: string;
  /** Undefined while they are loading. */
  deliveries: readonly DeliverySummary[] | undefined;
  onOpen: () => void;
}

/** All webhooks of one attendee as one mark. It opens their list. */
export function DeliveryMark({ name, deliveries, onOpen }: DeliveryMarkProps) {
  if (!deliveries) return <Skeleton height={16} width={56} radius="xl" />;
  const tally = tallyOf(deliveries);
  if (!tally) {
    return (
      <Text span inherit c="dimmed">
        None
      </Text>
    );
  }
  return (
    <StatusButton tone={tally.tone} label={`Webhooks of ${name}: ${tally.full}`} onClick={onOpen}>
      {tally.text}
    </StatusButton>
  );
}
