import { Group, Stack, Text, Title } from '@mantine/core';
import { CopyAction, CopyableId } from '../../components/copy.tsx';
import { Facts } from '../../components/facts.tsx';
import { DueTime, RelativeTime } from '../../components/relative-time.tsx';
import { Status } from '../../components/status.tsx';
import type { Delivery } from '../../trpc.ts';
import { AttemptTimeline } from './attempt-timeline.tsx';
import { deliveryLooks } from './delivery-status.ts';
import { PayloadBlock } from './payload-block.tsx';

export function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { word, ...look } = deliveryLooks[delivery.status];
  const url = delivery.url ?? delivery.attemptLog.at(-1)?.url;
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <Status {...look}>{word}</Status>
        {delivery.isRefire ? (
          <Status tone="info" isHollow>
            Re-fire
          </Status>
        ) : null}
        <Text size="sm" fw={550}>
          {delivery.sourceName}
        </Text>
      </Group>
      <Facts
        facts={[
          ['Event', <code key="event">{delivery.eventType}</code>],
          ...(url
            ? ([
                [
                  'Destination',
                  <span key="url">
                    <code>{url}</code> <CopyAction text={url} label="Copy destination URL" />
                  </span>,
                ],
              ] as const)
            : []),
          ['Response', delivery.responseCode ?? (delivery.attempts === 0 ? 'Not sent yet' : 'None')],
          ['Created', <RelativeTime key="created" at={delivery.createdAt} />],
          ['Delivered', <RelativeTime key="delivered" at={delivery.deliveredAt} never="Not delivered" />],
          ...(delivery.nextAttemptAt
            ? ([['Next attempt', <DueTime key="next" at={delivery.nextAttemptAt} />]] as const)
            : []),
          ['Delivery id', <CopyableId key="id" id={delivery.id} name="delivery id" />],
        ]}
      />
      <section>
        <Title order={3} mb={8}>
          Attempts
        </Title>
        <AttemptTimeline delivery={delivery} />
      </section>
      <PayloadBlock body={delivery.body} />
    </Stack>
  );
}
