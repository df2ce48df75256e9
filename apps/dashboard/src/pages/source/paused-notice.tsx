import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Notice } from '../../components/notice.tsx';
import { DueTime, RelativeTime } from '../../components/relative-time.tsx';
import { failureOf } from '../../failure.ts';
import { healthText } from '../delivery/failure-text.ts';
import { HaltButton } from './halt-button.tsx';
import type { Source } from './source.ts';
import { useSourceCalls } from './use-source.ts';
import { useWaiting } from './use-waiting.ts';
import { verbOf, waitingText } from './waiting-text.ts';

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
            {health.since ? (
              <>
                , since <RelativeTime at={health.since} />
              </>
            ) : null}
            .{' '}
            {waiting && waiting.count > 0 ? `${waitingText(waiting.count)} ${verbOf(waiting.count)}.` : null}{' '}
            No delivery is lost: they are sent when the endpoint answers again.
            {health.nextProbeAt ? (
              <>
                {' '}
                Next try <DueTime at={health.nextProbeAt} />.
              </>
            ) : null}
          </Text>
        </div>
        <TryNow source={source} />
      </Group>
    </Notice>
  );
}

/** Sends one waiting delivery to a paused endpoint at once. */
export function TryNow({ source }: { source: Source }) {
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
