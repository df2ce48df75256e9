import { Group, Skeleton, Switch, Table, Text } from '@mantine/core';
import { IconPencil, IconRefresh } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { StatusButton } from '../../../components/status.tsx';
import { CutText } from '../../../components/table-card.tsx';
import { useTRPC, type NewestDelivery } from '../../../trpc.ts';
import { deliveryStyles } from '../../delivery/delivery-status.tsx';
import { HealthBadge } from '../../source/health-badge.tsx';
import { waitingMark } from '../../source/recovery-text.ts';
import { SourceLink, SourceMenu } from '../../source/source-link.tsx';
import styles from '../../source/source-name.module.css';
import type { Source } from '../../source/source.ts';
import { MenuAction } from '../icon-actions.tsx';
import { showRefusal } from '../show-refusal.ts';
import { useInvalidation } from '../use-invalidation.ts';
import { useOpenDelivery } from '../use-webinar.ts';
import type { SubscriptionDialog } from './subscription-dialogs.tsx';

interface SubscriptionRowProps {
  source: Source;
  /** Deliveries that wait for it. */
  waiting: number | undefined;
  /** By the id of the source. Undefined while they are loading. */
  newest: ReadonlyMap<string, NewestDelivery> | undefined;
  onOpen: (dialog: SubscriptionDialog) => void;
}

export function SubscriptionRow({ source, waiting, newest, onOpen }: SubscriptionRowProps) {
  const trpc = useTRPC();
  const changed = useInvalidation((trpc) => [trpc.webhooks]);
  const { id: webhookId, webinarId, name, url, isEnabled, eventTypes } = source;
  const { mutate, isPending } = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSettled: changed,
      onError: (error) => showRefusal(`“${name}” is unchanged`, error),
    }),
  );
  return (
    <Table.Tr>
      <Table.Td>
        <Switch
          aria-label={`${name} active`}
          // Only switching on is done at once. Switching off asks first.
          checked={isEnabled || isPending}
          onChange={() => (isEnabled ? onOpen('off') : mutate({ webinarId, webhookId, active: true }))}
        />
      </Table.Td>
      <Table.Td maw={320}>
        <SourceLink source={source} className={styles['name']} />
        {source.description === null ? null : <CutText text={url} isSmall />}
      </Table.Td>
      <Table.Td>
        <HealthBadge health={source.health} isHalted={source.isHalted} waiting={waiting} />
        {waiting ? (
          <Text size="xs" c="dimmed">
            {waitingMark(waiting)}
          </Text>
        ) : null}
      </Table.Td>
      <Table.Td maw={220}>
        <CutText text={eventTypes.join(', ')} />
      </Table.Td>
      <Table.Td>
        <LastDelivery name={name} newest={newest} sourceId={webhookId} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={source.createdAt} />
      </Table.Td>
      <Table.Td ta="end">
        <SourceMenu source={source} onDelete={() => onOpen('delete')}>
          <MenuAction icon={IconPencil} label="Edit" onClick={() => onOpen('edit')} />
          <MenuAction icon={IconRefresh} label="Rotate secret" onClick={() => onOpen('rotate')} />
        </SourceMenu>
      </Table.Td>
    </Table.Tr>
  );
}

interface LastDeliveryProps {
  /** The name of the subscription. */
  name: string;
  /** By the id of the source. Undefined while they are loading. */
  newest: ReadonlyMap<string, NewestDelivery> | undefined;
  sourceId: string;
}

/** The status and the time of the newest delivery. It opens the delivery. */
function LastDelivery({ name, newest, sourceId }: LastDeliveryProps) {
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
