import { Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Status } from '../../../components/status.tsx';
import { useTRPC, type DeliverySummary, type Registration } from '../../../trpc.ts';
import { deliveryStyles } from '../../delivery/delivery-status.tsx';
import styles from './registrations.module.css';

interface RegistrationDeliveriesProps {
  registration: Pick<Registration, 'id' | 'webinarId'>;
  /** Opens the drawer of a delivery. */
  onOpen: (deliveryId: string) => void;
}

/** The webhooks that were sent for one registration, newest first. Each opens its drawer. */
export function RegistrationDeliveries({ registration, onOpen }: RegistrationDeliveriesProps) {
  const trpc = useTRPC();
  const { webinarId, id } = registration;
  const { data, error, refetch } = useQuery(
    trpc.automations.registrationDeliveries.queryOptions({ webinarId, registrationIds: [id] }),
  );
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  const deliveries = data?.data[0]?.deliveries;
  if (!deliveries) return <Skeleton height={64} />;
  if (deliveries.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No webhook was sent for this person.
      </Text>
    );
  }
  return (
    <ul className={styles['deliveries']}>
      {deliveries.toReversed().map((delivery) => (
        <li key={delivery.id}>
          <DeliveryButton delivery={delivery} onOpen={() => onOpen(delivery.id)} />
        </li>
      ))}
    </ul>
  );
}

function DeliveryButton({ delivery, onOpen }: { delivery: DeliverySummary; onOpen: () => void }) {
  const { sourceName, eventType, status, responseCode, redeliveryOf, createdAt } = delivery;
  const { word, ...style } = deliveryStyles[status];
  return (
    <UnstyledButton className={styles['delivery']} onClick={onOpen}>
      <span className={styles['what']}>
        <code>{eventType}</code> to {sourceName}
        {redeliveryOf ? ', sent again' : ''}
      </span>
      <Status {...style}>{responseCode ? `${word}, ${responseCode}` : word}</Status>
      <Text span size="xs" c="dimmed" className={styles['when']}>
        <RelativeTime at={createdAt} />
      </Text>
    </UnstyledButton>
  );
}
