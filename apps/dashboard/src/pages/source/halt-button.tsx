import { ActionIcon, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { failureOf } from '../../failure.ts';
import type { Source } from './source.ts';
import { useSourceCalls } from './use-source.ts';

/**
 * Halts the deliveries of a rule or subscription, or resumes them. Nothing is lost, so it asks nothing. Halting has an icon only, because
 * the facts of the source need the line.
 */
export function HaltButton({ source, halted }: { source: Source; halted: boolean }) {
  const { setHalted, invalidate } = useSourceCalls(source);
  const { mutate, isPending } = useMutation({
    mutationFn: () => setHalted(halted),
    onSuccess: () =>
      notifications.show({
        message: halted ? 'Its deliveries wait.' : 'Its deliveries are sent again.',
      }),
    onError: (error) => notifications.show({ color: 'red', message: failureOf(error).message }),
    onSettled: invalidate,
  });
  const button = { loading: isPending, onClick: () => mutate() };
  if (halted) return <HaltIcon {...button} />;
  return (
    <Button variant="default" leftSection={<IconPlayerPlay size={15} />} {...button}>
      Resume
    </Button>
  );
}

/** Without `onClick` it keeps the place of the button until the source is known. */
export const HaltIcon = (button: { loading?: boolean; onClick?: () => void }) => (
  <ActionIcon
    variant="default"
    size={32}
    aria-label="Halt"
    title="Halt: deliveries wait until you resume them"
    disabled={!button.onClick}
    {...button}
  >
    <IconPlayerPause size={15} />
  </ActionIcon>
);
