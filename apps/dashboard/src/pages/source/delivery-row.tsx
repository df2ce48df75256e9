import { Group, Table, UnstyledButton } from '@mantine/core';
import styles from '../../components/open-row.module.css';
import { DueTime, RelativeTime } from '../../components/relative-time.tsx';
import { Status } from '../../components/status.tsx';
import type { ListedDelivery } from '../../trpc.ts';
import { DeliveryMarks } from '../delivery/delivery-marks.tsx';
import { deliveryStyles, isUnfinished } from '../delivery/delivery-status.ts';
import { failureText } from '../delivery/failure-text.ts';
import { DeliveryMenu } from './delivery-menu.tsx';

interface DeliveryRowProps {
  webinarId: string;
  delivery: ListedDelivery;
  /** The reason why deliveries cannot be re-fired. */
  offReason: string | undefined;
  onOpen: (deliveryId: string) => void;
}

export function DeliveryRow({ webinarId, delivery, offReason, onOpen }: DeliveryRowProps) {
  const { id, status, eventType, attempts, attemptsMax } = delivery;
  const { word, ...style } = deliveryStyles[status];
  return (
    <Table.Tr className={styles['row']}>
      <Table.Td>
        <Status {...style}>{word}</Status>
      </Table.Td>
      <Table.Td>
        <Group gap={8} wrap="nowrap">
          <UnstyledButton className={styles['open']} onClick={() => onOpen(id)}>
            <code>{eventType}</code>
          </UnstyledButton>
          <DeliveryMarks delivery={delivery} />
        </Group>
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{responseText(delivery)}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {isUnfinished(status) ? `${attempts} of ${Math.max(attempts, attemptsMax)}` : attempts}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={delivery.createdAt} />
      </Table.Td>
      <Table.Td>{nextAttemptText(delivery)}</Table.Td>
      <Table.Td className={styles['above']} ta="end">
        <DeliveryMenu webinarId={webinarId} delivery={delivery} offReason={offReason} onOpen={onOpen} />
      </Table.Td>
    </Table.Tr>
  );
}

/** The last response in short. Empty before the first attempt. */
function responseText(delivery: ListedDelivery): string | number | null {
  if (delivery.attempts === 0 || delivery.status === 'delivering') return null;
  return delivery.status === 'success' ? delivery.responseCode : failureText(delivery);
}

function nextAttemptText({ status, nextAttemptAt }: ListedDelivery) {
  if (nextAttemptAt !== null) return <DueTime at={nextAttemptAt} />;
  return status === 'queued' || status === 'retrying' ? 'soon' : null;
}
