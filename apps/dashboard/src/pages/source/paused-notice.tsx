import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Notice } from '../../components/notice.tsx';
import { DueTime, RelativeTime } from '../../components/relative-time.tsx';
import { failureOf } from '../../failure.ts';
import { healthText } from '../delivery/failure-text.ts';
import type { Source } from './source.ts';
import { useSourceCalls } from './use-source.ts';

/** Explains that deliveries to a receiver are paused: the reason, that none is lost, and the time of the next probe. */
export function PausedNotice({ source, name }: { source: Source; name?: ReactNode }) {
  const { health } = source;
  const { probe, invalidate } = useSourceCalls(source);
  const { mutate, isPending } = useMutation({
    mutationFn: probe,
    onSuccess: () => notifications.show({ message: `Trying ${source.url} now.` }),
    onError: (error) => notifications.show({ color: 'red', message: failureOf(error).message }),
    onSettled: invalidate,
  });
  return (
    <Notice tone="warn">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: '1 1 260px' }}>
          <Text size="sm" fw={550}>
            {name ?? 'Deliveries'} {name === undefined ? 'are' : 'is'} paused
          </Text>
          <Text size="sm">
            {healthText(health)}
            {health.since ? (
              <>
                , since <RelativeTime at={health.since} />
              </>
            ) : null}
            . No delivery is lost: they wait and are sent when the receiver answers again.
            {health.nextProbeAt ? (
              <>
                {' '}
                Next attempt <DueTime at={health.nextProbeAt} />.
              </>
            ) : null}
          </Text>
        </div>
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={14} />}
          loading={isPending}
          onClick={() => mutate()}
        >
          Try now
        </Button>
      </Group>
    </Notice>
  );
}
