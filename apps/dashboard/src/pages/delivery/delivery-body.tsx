import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconChevronUp, IconRefresh } from '@service/icons';
import { useEffect, useState } from 'react';
import { CopyButton } from '../../components/copy.tsx';
import { Facts } from '../../components/facts.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { GuardedButton } from '../../components/guarded-button.tsx';
import { Status } from '../../components/status.tsx';
import type { Delivery } from '../../trpc.ts';
import { AttemptTimeline, CopyCurl } from './attempt-timeline.tsx';
import { DeliverySkeleton } from './delivery-drawer.tsx';
import { deliveryFacts } from './delivery-facts.tsx';
import { DeliveryMarks, deliveryStyle, sendAgainReason, sourceNameOf } from './delivery-status.tsx';
import { useNeighbours } from './listed-deliveries.ts';
import { PayloadBlock } from './payload-block.tsx';
import { useDelivery, useSendAgain } from './use-deliveries.ts';

export interface DeliveryBodyProps {
  /** Undefined on pages of the workspace. */
  webinarId?: string | undefined;
  deliveryId: string;
  /** Shows another delivery. */
  onShow: (deliveryId: string) => void;
}

export function DeliveryBody(props: DeliveryBodyProps) {
  return (
    <>
      <DrawerSteps deliveryId={props.deliveryId} onShow={props.onShow} />
      <LoadedDelivery key={props.deliveryId} {...props} />
    </>
  );
}

function LoadedDelivery({ webinarId, deliveryId, onShow }: DeliveryBodyProps) {
  const { data, error, refetch } = useDelivery({ webinarId, deliveryId });
  if (data) return <DeliveryDetails delivery={data.data} onShow={onShow} />;
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return <DeliverySkeleton />;
}

interface DeliveryDetailsProps {
  delivery: Delivery;
  onShow: (deliveryId: string) => void;
}

function DeliveryDetails({ delivery, onShow }: DeliveryDetailsProps) {
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <Status {...deliveryStyle(delivery)} />
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

interface DeliveryActionsProps {
  delivery: Delivery;
  onShow: (deliveryId: string) => void;
}

/** Sends a delivery again and shows the new one, copies the last request and the delivery. */
function DeliveryActions({ delivery, onShow }: DeliveryActionsProps) {
  const { sendAgain, error, isPending } = useSendAgain({
    onSuccess: (id) => {
      notifications.show({ message: 'Sent again. This is the new delivery.' });
      onShow(id);
    },
  });
  const lastAttempt = delivery.attemptLog.at(-1);
  return (
    <>
      <Group gap="xs">
        <GuardedButton
          reason={sendAgainReason(delivery)}
          leftSection={<IconRefresh size={14} />}
          loading={isPending}
          onClick={() => sendAgain(delivery.id, delivery.webinarId)}
        >
          Send again
        </GuardedButton>
        {lastAttempt ? <CopyCurl attempt={lastAttempt} body={delivery.body} /> : null}
        <CopyButton text={JSON.stringify(delivery, null, 2)} label="Copy as JSON" />
      </Group>
      {error ? <FailureNotice error={error} /> : null}
    </>
  );
}

interface DrawerStepsProps {
  deliveryId: string;
  onShow: (deliveryId: string) => void;
}

/** Goes through the list on the page: buttons, and the keys K and J. Loads more deliveries at the end of the list. */
function DrawerSteps({ deliveryId, onShow }: DrawerStepsProps) {
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
