import '../../components/choices.css';
import { Button, Group, Progress, Text, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { DueTime } from '../../components/relative-time.tsx';
import { failureOf } from '../../failure.ts';
import { formatCount, formatPlural } from '../../format.ts';
import type { Waiting } from '../../trpc.ts';
import { healthText } from '../delivery/delivery-status.tsx';
import { Since } from './health-badge.tsx';
import styles from './paused-list.module.css';
import { verbOf, waitingText } from './recovery-text.ts';
import { HaltButton } from './source-actions.tsx';
import { SourceLink } from './source-link.tsx';
import type { Source } from './source.ts';
import { useSourceCalls, useWaiting } from './use-source.ts';

/** Explains that deliveries to an endpoint are paused: the reason, what waits, that none is lost, and the time of the next try. */
export function PausedNotice({ source }: { source: Source }) {
  const { health } = source;
  const waiting = useWaiting(source);
  return (
    <Notice tone="warn">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: '1 1 260px' }}>
          <Text size="sm" fw={550}>
            Deliveries are paused
          </Text>
          <Text size="sm">
            {healthText(health)}
            <Since at={health.since} />.{' '}
            {waiting && waiting.count > 0 ? `${waitingText(waiting.count)} ${verbOf(waiting.count)}.` : null}{' '}
            No delivery is lost: they are sent when the endpoint answers again.
            <NextTry at={health.nextProbeAt} />
          </Text>
        </div>
        <TryNow source={source} />
      </Group>
    </Notice>
  );
}

/** Sends one waiting delivery to a paused endpoint at once. */
function TryNow({ source }: { source: Source }) {
  const { probe, invalidate } = useSourceCalls(source);
  const { mutate, isPending } = useMutation({
    mutationFn: probe,
    onSuccess: () => notifications.show({ message: `Trying ${source.name} now.` }),
    onError: (error) => notifications.show({ color: 'red', message: failureOf(error).message }),
    onSettled: invalidate,
  });
  return (
    <Button
      variant="default"
      leftSection={<IconPlayerPlay size={14} />}
      loading={isPending}
      onClick={() => mutate()}
    >
      Try now<VisuallyHidden>: {source.name}</VisuallyHidden>
    </Button>
  );
}

/** Says that deliveries wait because somebody halts them, with the button that sends them. */
export function HaltedNotice({ source }: { source: Source }) {
  const count = useWaiting(source)?.count ?? 0;
  return (
    <Notice tone="info">
      <Group justify="space-between" gap="sm">
        <span style={{ flex: '1 1 260px' }}>
          <b>Deliveries are halted.</b> {count > 0 ? `${waitingText(count)} ${verbOf(count)}. ` : null}
          No delivery is lost: they are sent when you resume them. Switching off cancels them.
        </span>
        <HaltButton source={source} halted={false} />
      </Group>
    </Notice>
  );
}

/** Paused endpoints as one notice. Several are collapsed, so that they do not push the page away. */
export function PausedEntries({ sources }: { sources: readonly Source[] }) {
  return (
    <div className={styles['paused']}>
      <Notice tone="warn">
        {sources.length === 1 ? (
          <>
            <Entry source={sources[0]!} isAlone />
            {lostText}
          </>
        ) : (
          <details>
            <summary>
              <b>{formatPlural(sources.length, 'endpoint')} are paused.</b> {lostText}
            </summary>
            <ul className={styles['list']}>
              {sources.map((source) => (
                <li key={source.id}>
                  <Entry source={source} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </Notice>
    </div>
  );
}

const lostText = 'No delivery is lost: they wait and are sent when the endpoint answers again.';

function Entry({ source, isAlone = false }: { source: Source; isAlone?: boolean }) {
  const { kind, health } = source;
  return (
    <div className={styles['entry']}>
      <div>
        <div className={styles['name']}>
          {kind === 'rule' ? 'The rule' : 'The subscription'} <SourceLink source={source} />
          {isAlone ? ' is paused' : null}
        </div>
        {healthText(health)}.
        <NextTry at={health.nextProbeAt} />
      </div>
      <TryNow source={source} />
    </div>
  );
}

interface SendingNoticeProps {
  flush: NonNullable<Waiting['flush']>;
  source: Source;
}

/** The progress of sending everything that waits, with a button to stop it. */
export function SendingNotice({ flush, source }: SendingNoticeProps) {
  const { stopSending, invalidate } = useSourceCalls(source);
  const { mutate, isPending, error } = useMutation({ mutationFn: stopSending, onSettled: invalidate });
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

const NextTry = ({ at }: { at: string | null }) =>
  at === null ? null : (
    <>
      {' '}
      Next try <DueTime at={at} />.
    </>
  );
