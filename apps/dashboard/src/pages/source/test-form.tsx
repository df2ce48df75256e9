import { Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormApiCall } from '../../components/dialog-form.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { Status } from '../../components/status.tsx';
import { AttemptTimeline } from '../delivery/attempt-timeline.tsx';
import { deliveryStyles, isUnfinished } from '../delivery/delivery-status.tsx';
import { useDelivery } from '../delivery/use-deliveries.ts';
import { useTriggerText } from '../webinar/automations/use-triggers.ts';
import type { Source } from './source.ts';
import styles from './test-outcome.module.css';
import { sourceApiCall, useSourceCalls } from './use-source.ts';

export interface TestFormProps {
  source: Source;
  onClose: () => void;
  /** Shows the whole delivery. */
  onShow: (deliveryId: string) => void;
}

export function TestForm({ source, onClose, onShow }: TestFormProps) {
  const { sendTest, invalidate } = useSourceCalls(source);
  const triggerText = useTriggerText();
  const [eventType, setEventType] = useState(source.eventTypes[0]!);
  const { mutate, isPending, data, error } = useMutation({ mutationFn: sendTest, onSuccess: invalidate });
  const deliveryId = data?.data.id;
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Sends a sample to <code>{source.url}</code>, signed like any other delivery and marked{' '}
        <code>is_test: true</code>. A test is tried once.
      </Text>
      <Select
        label="Event"
        allowDeselect={false}
        disabled={source.eventTypes.length === 1}
        data={source.eventTypes.map((type) => ({ value: type, label: triggerText(type) }))}
        value={eventType}
        onChange={(type) => (type ? setEventType(type) : undefined)}
      />
      {(source.isHalted || source.health.status === 'paused') && !deliveryId ? (
        <Notice tone="info">Deliveries wait. The test is sent all the same.</Notice>
      ) : null}
      {error ? <FailureNotice error={error} /> : null}
      {deliveryId ? (
        <TestOutcome key={deliveryId} webinarId={source.webinarId} deliveryId={deliveryId} />
      ) : null}
      <Group justify="flex-end" gap="xs">
        <FormApiCall
          call={sourceApiCall(source, 'sendTest', source.kind === 'rule' ? {} : { body: { eventType } })}
        />
        {deliveryId ? (
          <Button variant="default" onClick={() => onShow(deliveryId)}>
            Open delivery
          </Button>
        ) : (
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        )}
        <Button loading={isPending} onClick={() => mutate(eventType)} data-autofocus autoFocus>
          {deliveryId ? 'Send another' : 'Send test'}
        </Button>
      </Group>
    </Stack>
  );
}

/** The progress and result of a test. */
function TestOutcome(delivery: { webinarId: string; deliveryId: string }) {
  const { data, error, refetch } = useDelivery(delivery);
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={110} aria-busy />;
  const { status } = data.data;
  return (
    <section className={styles['outcome']} aria-label="Outcome of the test">
      <Group gap="xs" mb={10} aria-live="polite">
        <Status {...deliveryStyles[status]} />
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
