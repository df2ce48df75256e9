import '../../components/choices.css';
import { Button, Group, Progress, Text } from '@mantine/core';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Status } from '../../components/status.tsx';
import type { Recovery } from '../../trpc.ts';
import { cancelTexts, progressText, recoveryStyles, scopeText } from './recovery-text.ts';
import styles from './recovery.module.css';
import type { SourceRef } from './source.ts';
import { useCancelRecovery } from './use-recoveries.ts';

/** The progress of a recovery, with a button to stop it. */
export function RecoveryProgress({ source, recovery }: { source: SourceRef; recovery: Recovery }) {
  const { mutate, isPending, error } = useCancelRecovery(source);
  const { id, state, queued, total, cancelReason } = recovery;
  const { word, ...style } = recoveryStyles[state];
  const percent = state === 'done' ? 100 : Math.min(100, (queued / Math.max(1, total)) * 100);
  return (
    <section className={styles['progress']} aria-label="Recovery">
      <Group justify="space-between" gap="xs" wrap="nowrap" mb={8}>
        <Group gap="xs">
          <Status {...style}>{word}</Status>
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
