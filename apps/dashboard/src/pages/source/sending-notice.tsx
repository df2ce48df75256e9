import '../../components/choices.css';
import { Button, Group, Progress, Text } from '@mantine/core';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { formatCount } from '../../format.ts';
import type { Waiting } from '../../trpc.ts';
import type { Source } from './source.ts';
import { useStopSending } from './use-waiting.ts';
import { waitingText } from './waiting-text.ts';

interface SendingNoticeProps {
  flush: NonNullable<Waiting['flush']>;
  source: Source;
}

/** The progress of sending everything that waits, with a button to stop it. */
export function SendingNotice({ flush, source }: SendingNoticeProps) {
  const { mutate, isPending, error } = useStopSending(source);
  const isStopping = isPending || flush.isStopping;
  const sent = Math.max(0, flush.total - flush.left);
  return (
    <Notice tone="info">
      <section aria-label="Sending what waits">
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Text size="sm" fw={550} aria-live="polite" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {formatCount(sent)} of {waitingText(flush.total)} sent
          </Text>
          <Button
            variant="default"
            size="compact-xs"
            loading={isStopping}
            aria-label="Stop sending"
            onClick={() => mutate()}
          >
            Stop
          </Button>
        </Group>
        <Progress
          value={(sent / Math.max(1, flush.total)) * 100}
          size={6}
          radius="xl"
          my={6}
          aria-label="Sent"
        />
        <Text size="xs" c="dimmed">
          {sendingText(source, isStopping)}
        </Text>
      </section>
      {error ? <FailureNotice error={error} /> : null}
    </Notice>
  );
}

function sendingText({ isHalted, health }: Source, isStopping: boolean): string {
  if (isStopping) return 'Stopping. What is not sent yet waits for its own next try again.';
  if (isHalted) return 'Deliveries are halted. The rest is sent after you resume them.';
  return health.status === 'paused'
    ? 'The endpoint is paused. It is tried with one delivery first, and the others follow when it answers. After Stop, the rest waits for its own next try again.'
    : 'Sent at a limited rate that rises while the endpoint answers. If it fails again, the rest keeps waiting. After Stop, the rest waits for its own next try again.';
}
