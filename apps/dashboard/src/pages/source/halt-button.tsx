import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { failureOf } from '../../failure.ts';
import type { Source } from './source.ts';
import { useSourceCalls } from './use-source.ts';

/** Halts the deliveries of a rule or subscription, or resumes them. Nothing is lost, so it asks nothing. */
export function HaltButton({ source, halted }: { source: Source; halted: boolean }) {
  const { setHalted, invalidate } = useSourceCalls(source);
  const { mutate, isPending } = useMutation({
    mutationFn: () => setHalted(halted),
    onSuccess: () =>
      notifications.show({
        message: halted
          ? `Deliveries of ${source.name} wait.`
          : `Deliveries of ${source.name} are sent again.`,
      }),
    onError: (error) => notifications.show({ color: 'red', message: failureOf(error).message }),
    onSettled: invalidate,
  });
  return (
    <Button
      variant="default"
      leftSection={halted ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {halted ? 'Halt' : 'Resume'}
    </Button>
  );
}
