import { Group, Skeleton, Text } from '@mantine/core';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Status } from '../../components/status.tsx';
import { AttemptTimeline } from '../delivery/attempt-timeline.tsx';
import { deliveryStyles, isUnfinished } from '../delivery/delivery-status.ts';
import { useDelivery } from '../delivery/use-delivery.ts';
import styles from './test-outcome.module.css';

/** The progress and result of a test. */
export function TestOutcome(delivery: { webinarId: string; deliveryId: string }) {
  const { data, error, refetch } = useDelivery(delivery);
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={110} aria-busy />;
  const { status } = data.data;
  const { word, ...style } = deliveryStyles[status];
  return (
    <section className={styles['outcome']} aria-label="Outcome of the test">
      <Group gap="xs" mb={10} aria-live="polite">
        <Status {...style}>{word}</Status>
        <Text size="sm" c="dimmed">
          {outcomeTexts[isUnfinished(status) ? 'waiting' : status === 'success' ? 'good' : 'bad']}
        </Text>
      </Group>
      <AttemptTimeline delivery={data.data} />
    </section>
  );
}

const outcomeTexts = {
  waiting: 'Waiting for the answer. You can close this; the delivery stays in the list.',
  good: 'The endpoint accepted it.',
  bad: 'The endpoint did not accept it.',
};
