import '../../components/choices.css';
import { Button, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormApiCall } from '../../components/dialog-form.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ShowApiCall } from '../../components/show-api-call.tsx';
import { Status } from '../../components/status.tsx';
import type { Recovery } from '../../trpc.ts';
import { RecoverForm } from './recover-form.tsx';
import { cancelTexts, progressText, recoveryStyles, scopeText, waitingText } from './recovery-text.ts';
import styles from './recovery.module.css';
import { offReasonOf, type Source, type SourceRef } from './source.ts';
import { sourceApiCall, useRecoveries, useSourceCalls, useWaiting } from './use-source.ts';

interface RecoverProps {
  source: Source;
  onClose: () => void;
}

/** The running or just finished recovery. Without one, the form for a new one. */
export function Recover({ source, onClose }: RecoverProps) {
  const { items, error, running } = useRecoveries(source);
  const [madeId, setMadeId] = useState<string>();
  const shown = running ?? items?.find(({ id }) => id === madeId);
  if (!items && !error) return <Skeleton height={260} aria-busy />;
  return (
    <Stack gap="lg">
      <Text size="sm">
        For deliveries that have ended. Those that still wait are sent by “Send all that wait now”.
      </Text>
      {shown ? (
        <Stack gap="md">
          <RecoveryProgress source={source} recovery={shown} />
          <Group justify="flex-end" gap="xs">
            {shown.state === 'running' ? null : (
              <Button variant="default" onClick={() => setMadeId(undefined)}>
                Recover more
              </Button>
            )}
            <Button onClick={onClose}>Close</Button>
          </Group>
        </Stack>
      ) : (
        <RecoverForm source={source} onMade={({ id }) => setMadeId(id)} onClose={onClose} />
      )}
      <RecoveryList source={source} exceptId={shown?.id} />
    </Stack>
  );
}

/** The progress of a recovery, with a button to stop it. */
function RecoveryProgress({ source, recovery }: { source: SourceRef; recovery: Recovery }) {
  const { cancelRecovery, invalidate } = useSourceCalls(source);
  const { mutate, isPending, error } = useMutation({ mutationFn: cancelRecovery, onSettled: invalidate });
  const { id, state, queued, total, cancelReason } = recovery;
  const percent = state === 'done' ? 100 : Math.min(100, (queued / Math.max(1, total)) * 100);
  return (
    <section className={styles['progress']} aria-label="Recovery">
      <Group justify="space-between" gap="xs" wrap="nowrap" mb={8}>
        <Group gap="xs">
          <Status {...recoveryStyles[state]} />
          <Text size="sm" fw={550} className={styles['count']}>
            {progressText(recovery)}
          </Text>
        </Group>
        {state === 'running' ? (
          <Button variant="default" size="compact-xs" loading={isPending} onClick={() => mutate(id)}>
            Stop
          </Button>
        ) : null}
      </Group>
      <Progress value={percent} size={6} radius="xl" aria-label="Queued again" />
      <Text size="xs" c="dimmed" mt={8}>
        Everything {scopeText(recovery)}
        {cancelReason ? `; ${cancelTexts[cancelReason]}` : ''}. Deliveries are queued in small batches to
        protect the endpoint.
      </Text>
      {error ? <FailureNotice error={error} /> : null}
    </section>
  );
}

/** Earlier recoveries, newest first, without the one that the dialog shows. */
function RecoveryList({ source, exceptId }: { source: SourceRef; exceptId: string | undefined }) {
  const recoveries = useRecoveries(source);
  const { items, error } = recoveries;
  if (error && !items) return <FailureNotice error={error} onRetry={() => void recoveries.refetch()} />;
  const earlier = items?.filter(({ id }) => id !== exceptId) ?? [];
  if (earlier.length === 0) return null;
  return (
    <section aria-label="Earlier recoveries">
      <Group justify="space-between" mb={6}>
        <Title order={3}>Earlier recoveries</Title>
        <ShowApiCall call={sourceApiCall(source, 'recoveries')} of="Recoveries" />
      </Group>
      <ul className={styles['earlier']}>
        {earlier.map((recovery) => (
          <RecoveryItem key={recovery.id} recovery={recovery} />
        ))}
      </ul>
      <LoadMore {...recoveries} />
    </section>
  );
}

function RecoveryItem({ recovery }: { recovery: Recovery }) {
  const { state, cancelReason, createdAt } = recovery;
  return (
    <li>
      <span>
        <Status {...recoveryStyles[state]} />
      </span>
      <span className={styles['count']}>{progressText(recovery)}</span>
      <RelativeTime at={createdAt} />
      <span className={styles['scope']}>
        Everything {scopeText(recovery)}
        {cancelReason ? `; ${cancelTexts[cancelReason]}` : ''}
      </span>
    </li>
  );
}

interface SendWaitingProps {
  source: Source;
  onClose: () => void;
}

/** Asks before everything that waits for an endpoint is sent. */
export function SendWaiting({ source, onClose }: SendWaitingProps) {
  const count = useWaiting(source)?.count;
  const { sendWaiting, invalidate } = useSourceCalls(source);
  const { mutate, isPending, error } = useMutation({ mutationFn: sendWaiting, onSettled: invalidate });
  const offReason = offReasonOf(source);
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {offReason ?? (
          <>
            Sends the same deliveries to <code>{source.url}</code> without waiting for the time of their next
            try. The rate is limited and rises while the endpoint answers. A delivery that fails again waits
            for its next try. Deliveries that have ended are sent again by “Recover”.
          </>
        )}
      </Text>
      {error ? <FailureNotice error={error} /> : null}
      <Group justify="flex-end" gap="xs">
        <FormApiCall call={sourceApiCall(source, 'sendWaiting')} />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={isPending}
          disabled={!count || offReason !== undefined}
          data-autofocus
          autoFocus
          onClick={() => mutate(undefined, { onSuccess: onClose })}
        >
          {count === 0 ? 'Nothing waits' : count === undefined ? 'Send' : `Send ${waitingText(count)} now`}
        </Button>
      </Group>
    </Stack>
  );
}
