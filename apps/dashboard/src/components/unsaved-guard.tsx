import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';

interface UnsavedGuardProps {
  isDirty: boolean;
  /** For a form in a drawer: true if the drawer stays open with these search parameters. */
  isOpenWith?: (search: Readonly<Record<string, unknown>>) => boolean;
}

/**
 * Asks before a page with unsaved changes is left, and before the browser closes it. A changed search parameter, such as an opened
 * drawer, does not leave the page. The way to the sign-in page is free, since a form keeps its draft when the sign-in session ends.
 */
export function UnsavedGuard({ isDirty, isOpenWith }: UnsavedGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      next.pathname !== '/sign-in' &&
      (current.pathname !== next.pathname || isOpenWith?.(next.search as Record<string, unknown>) === false),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <LeaveDialog
      blocker={blocker}
      text="Your changes on this page are not saved. If you leave, they are lost."
    />
  );
}

interface LeaveDialogProps {
  blocker: {
    status: 'blocked' | 'idle';
    proceed?: (() => void) | undefined;
    reset?: (() => void) | undefined;
  };
  text: string;
}

/** Asks before unsaved changes are lost. */
export function LeaveDialog({ blocker, text }: LeaveDialogProps) {
  const stay = () => blocker.reset?.();
  return (
    <Modal opened={blocker.status === 'blocked'} onClose={stay} title="Leave without saving?">
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={stay} data-autofocus>
            Stay
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            Leave without saving
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
