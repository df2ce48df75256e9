import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyAction, CopyableId } from '../../components/copy.tsx';
import { Facts } from '../../components/facts.tsx';
import { DueTime, RelativeTime } from '../../components/relative-time.tsx';
import { Status } from '../../components/status.tsx';
import type { Delivery } from '../../trpc.ts';
import { AttemptTimeline } from './attempt-timeline.tsx';
import { DeliveryActions } from './delivery-actions.tsx';
import { DeliveryMarks } from './delivery-marks.tsx';
import { deliveryStyles, isUnfinished } from './delivery-status.ts';
import { failureText } from './failure-text.ts';
import { PayloadBlock } from './payload-block.tsx';

interface DeliveryDetailsProps {
  webinarId: string;
  delivery: Delivery;
  onShow: (deliveryId: string) => void;
}

export function DeliveryDetails({ webinarId, delivery, onShow }: DeliveryDetailsProps) {
  const { word, ...style } = deliveryStyles[delivery.status];
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <Status {...style}>{word}</Status>
        <DeliveryMarks delivery={delivery} />
        <Text size="sm" fw={550}>
          {delivery.sourceName}
        </Text>
      </Group>
      <DeliveryActions webinarId={webinarId} delivery={delivery} onShow={onShow} />
      <Facts facts={factsOf(delivery, onShow)} />
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

function factsOf(delivery: Delivery, onShow: (deliveryId: string) => void): [string, ReactNode][] {
  const { redeliveryOf, nextAttemptAt } = delivery;
  const url = delivery.url ?? delivery.attemptLog.at(-1)?.url;
  return [
    ['Event', <code key="event">{delivery.eventType}</code>],
    ...some(url, (text) => ['Destination', <CopyableCode key="url" text={text} />]),
    ['Response', delivery.attempts === 0 ? 'Not sent yet' : responseText(delivery)],
    ['Tries', triesText(delivery)],
    ...some(nextAttemptAt, (at) => ['Next attempt', <DueTime key="next" at={at} />]),
    ['Created', <RelativeTime key="created" at={delivery.createdAt} />],
    ['Delivered', <RelativeTime key="delivered" at={delivery.deliveredAt} never="Not delivered" />],
    ...some(redeliveryOf, (original) => [
      'Repeats',
      <Anchor key="original" component="button" type="button" inherit onClick={() => onShow(original)}>
        The original delivery
      </Anchor>,
    ]),
    ['Delivery id', <CopyableId key="id" id={delivery.id} name="delivery id" />],
  ];
}

/** A row, when the value exists. */
const some = <Value,>(
  value: Value | null | undefined,
  toFact: (value: Value) => [string, ReactNode],
): [string, ReactNode][] => (value === null || value === undefined ? [] : [toFact(value)]);

const CopyableCode = ({ text }: { text: string }) => (
  <span>
    <code>{text}</code> <CopyAction text={text} label="Copy destination URL" />
  </span>
);

function responseText(delivery: Delivery): ReactNode {
  if (delivery.status === 'success') return delivery.responseCode;
  return failureText(delivery);
}

/** "3 made, 5 left". An attempt that the receiver postponed does not count, so the sum may differ from the limit. */
function triesText({ attempts, triesLeft, attemptsMax, status }: Delivery): string {
  if (isUnfinished(status)) return `${attempts} made, ${triesLeft} left`;
  return `${attempts} of at most ${Math.max(attempts, attemptsMax)}`;
}
