import { Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { DueTime } from '../../components/relative-time.tsx';
import { totalText } from './recovery-text.ts';
import styles from './recovery.module.css';
import type { RecoveryRequest } from './source-calls.ts';
import type { SourceRef } from './source.ts';
import { useSourceCalls } from './use-source.ts';
import { verbOf, waitingText } from './waiting-text.ts';

const typingMs = 250;

/** The number of deliveries that a recovery would send. Counted again when the selection changes. */
export function usePreview(source: SourceRef, request: RecoveryRequest | undefined) {
  const { previewRecovery, keyOf } = useSourceCalls(source);
  const text = request && JSON.stringify(request);
  const [requested] = useDebouncedValue(text, typingMs);
  const query = useQuery({
    queryKey: keyOf('preview', requested),
    queryFn: ({ signal }) => previewRecovery(JSON.parse(requested!) as RecoveryRequest, signal),
    enabled: requested !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  /** True when the count belongs to the current selection. */
  return { ...query, isCurrent: requested === text && text !== undefined && !query.isPlaceholderData };
}

interface RecoveryPreviewProps {
  request: RecoveryRequest | undefined;
  preview: ReturnType<typeof usePreview>;
}

export function RecoveryPreview({
  request,
  preview: { data, error, isCurrent, refetch },
}: RecoveryPreviewProps) {
  if (!request) {
    return (
      <div className={styles['preview']} data-stale>
        Choose a time and the deliveries to send again.
      </div>
    );
  }
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div className={styles['preview']} data-stale>
        <Loader size={14} mr={8} /> Counting…
      </div>
    );
  }
  const { total, waiting } = data.data;
  const waitingCount = waiting.queued + waiting.retrying;
  return (
    <div className={styles['preview']} data-stale={!isCurrent || undefined} aria-live="polite">
      {total === 0
        ? nothingText(waitingCount)
        : `${firstUpper(totalText(data.data))} will be sent again, each as a new delivery marked is_refire.`}{' '}
      {waitingCount === 0 ? null : (
        <>
          {firstUpper(waitingText(waitingCount))} of that time still {verbOf(waitingCount)}
          {waiting.nextAttemptAt === null ? null : (
            <>
              , the next try <DueTime at={waiting.nextAttemptAt} />
            </>
          )}
          . “Send all that wait now” sends them.
        </>
      )}
    </div>
  );
}

const nothingText = (waiting: number): string =>
  waiting === 0
    ? 'Nothing to send again: no delivery since then has this status, or its message was delivered later.'
    : 'Nothing to recover.';

const firstUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
