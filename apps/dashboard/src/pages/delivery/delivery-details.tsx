import { Group, Stack, Text, Title } from '@mantine/core';
import { Status } from '../../components/status.tsx';
import { Facts } from '../../components/facts.tsx';
import type { Delivery } from '../../trpc.ts';
import { AttemptTimeline } from './attempt-timeline.tsx';
import { DeliveryActions } from './delivery-actions.tsx';
import { deliveryFacts } from './delivery-facts.tsx';
import { DeliveryMarks } from './delivery-marks.tsx';
import { deliveryStyles } from './delivery-status.ts';
import { PayloadBlock } from './payload-block.tsx';
import { sourceNameOf } from './source-name.ts';

interface DeliveryDetailsProps {
  delivery: Delivery;
  onShow: (deliveryId: string) => void;
}

export function DeliveryDetails({ delivery, onShow }: DeliveryDetailsProps) {
  const { word, ...style } = deliveryStyles[delivery.status];
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <Status {...style}>{word}</Status>
        <DeliveryMarks delivery={delivery} />
        <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {sourceNameOf(delivery)}
        </Text>
      </Group>
      <DeliveryActions delivery={delivery} onShow={onShow} />
      <Facts facts={deliveryFacts(delivery, onShow)} />
      <section>
        <Title order={3} mb={8}>
          Tries
        </Title>
        <AttemptTimeline delivery={delivery} />
      </section>
      <PayloadBlock body={delivery.body} />
    </Stack>
  );
}
