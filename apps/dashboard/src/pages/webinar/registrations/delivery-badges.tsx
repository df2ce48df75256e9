import { Skeleton } from '@mantine/core';
import { StatusButton } from '../../../components/status.tsx';
import type { DeliverySummary } from '../../../trpc.ts';
import styles from './delivery-badges.module.css';
import { deliveryStyles } from '../../delivery/delivery-status.ts';

interface DeliveryBadgesProps {
  /** Undefined while they are loading. */
  deliveries: readonly DeliverySummary[] | undefined;
  onOpen: (deliveryId: string) => void;
}

/** One badge for each delivery: its status as colour and word, and the HTTP status of the response. It opens the drawer. */
export function DeliveryBadges({ deliveries, onOpen }: DeliveryBadgesProps) {
  if (!deliveries) return <Skeleton height={16} width={72} radius="xl" />;
  if (deliveries.length === 0) return <span className={styles['none']}>None</span>;
  return (
    <span className={styles['badges']}>
      {deliveries.map(({ id, sourceName, status, responseCode, redeliveryOf }) => {
        const { word, ...style } = deliveryStyles[status];
        return (
          <StatusButton
            key={id}
            {...style}
            label={`${sourceName}${redeliveryOf ? ', re-fired' : ''}: ${word}`}
            onClick={() => onOpen(id)}
          >
            {status === 'success' && responseCode ? responseCode : word}
          </StatusButton>
        );
      })}
    </span>
  );
}
