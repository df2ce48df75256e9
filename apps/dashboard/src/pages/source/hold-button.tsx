import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { failureOf } from '../../failure.ts';
import type { Source } from './source.ts';
import { useSourceCalls } from './use-source.ts';

/** Holds the deliveries of a rule or subscription, or resumes them. Nothing is lost, so it asks nothing. */
export function HoldButton({ source, held }: { source: Source; held: boolean }) {
  const { setHeld, invalidate } = useSourceCalls(source);
  const { mutate, isPending } = useMutation({
    mutationFn: () => setHeld(held),
    onSuccess: () =>
      notifications.show({
        message: held ? `Deliveries of ${source.name} wait.` : `Deliveries of ${source.name} are sent again.`,
      }),
    onError: (error) => notifications.show({ color: 'red', message: failureOf(error).message }),
    onSettled: invalidate,
  });
  return (
    <Button
      variant="default"
      leftSection={held ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {held ? 'Hold' : 'Resume'}
    </Button>
  );
}
