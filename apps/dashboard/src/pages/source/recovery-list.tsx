import { Group, Title } from '@mantine/core';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ShowApiCall } from '../../components/show-api-call.tsx';
import { Status } from '../../components/status.tsx';
import type { Recovery } from '../../trpc.ts';
import { cancelTexts, progressText, recoveryStyles, scopeText } from './recovery-text.ts';
import styles from './recovery.module.css';
import { sourceApiCall } from './source-api-call.ts';
import type { SourceRef } from './source.ts';
import { useRecoveries } from './use-recoveries.ts';

/** Earlier recoveries, newest first, without the one that the dialog shows. */
export function RecoveryList({ source, exceptId }: { source: SourceRef; exceptId: string | undefined }) {
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
  const { word, ...style } = recoveryStyles[state];
  return (
    <li>
      <span>
        <Status {...style}>{word}</Status>
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
