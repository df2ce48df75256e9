import { Anchor, Button, Group } from '@mantine/core';
import { IconPlayerTrackNext } from '@service/icons';
import { lazy, Suspense } from 'react';
import { Notice } from '../../components/notice.tsx';
import { DueTime, RelativeTime } from '../../components/relative-time.tsx';
import { progressText, verbOf, waitingText } from './recovery-text.ts';
import type { Source, SourceRef } from './source.ts';
import { useRecoveries, useWaiting } from './use-source.ts';

// Few endpoints have one.
const SendingNotice = lazy(async () => ({
  default: (await import('./endpoint-notices.tsx')).SendingNotice,
}));

interface WaitingNoticeProps {
  source: Source;
  /** Opens the dialog that sends all of them. */
  onSend: () => void;
}

/** The deliveries that wait for a later try, and the progress of sending all of them, with a button to stop it. */
export function WaitingNotice({ source, onSend }: WaitingNoticeProps) {
  const waiting = useWaiting(source);
  if (!waiting || !source.isEnabled) return null;
  if (waiting.flush?.state === 'running') {
    return (
      <Suspense>
        <SendingNotice flush={waiting.flush} source={source} />
      </Suspense>
    );
  }
  // A paused or halted endpoint has a notice of its own, with the button that tries or resumes it.
  if (waiting.count === 0 || source.isHalted || source.health.status === 'paused') return null;
  return (
    <Notice tone="info">
      <Group justify="space-between" gap="sm">
        <span>
          <b>
            {waitingText(waiting.count)} {verbOf(waiting.count)}
          </b>{' '}
          for a later try
          {waiting.oldestAt ? (
            <>
              , the oldest from <RelativeTime at={waiting.oldestAt} />
            </>
          ) : null}
          {waiting.nextAttemptAt ? (
            <>
              . Next try <DueTime at={waiting.nextAttemptAt} />
            </>
          ) : null}
          .
        </span>
        <Button variant="default" leftSection={<IconPlayerTrackNext size={14} />} onClick={onSend}>
          Send all that wait now
        </Button>
      </Group>
    </Notice>
  );
}

/** Shows on the page that a recovery is running. */
export function RecoveryNotice({ source, onOpen }: { source: SourceRef; onOpen: () => void }) {
  const { running } = useRecoveries(source);
  if (!running) return null;
  return (
    <Notice tone="info">
      A recovery is under way: {progressText(running)}.{' '}
      <Anchor component="button" type="button" inherit onClick={onOpen}>
        Show it
      </Anchor>
    </Notice>
  );
}
