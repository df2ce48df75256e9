import { Button, Drawer, Group, Modal, Stack, Text, type DrawerProps } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';

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
  const blocker = useLeaveBlocker(isDirty, isOpenWith);
  return (
    <LeaveDialog
      blocker={blocker}
      text="Your changes on this page are not saved. If you leave, they are lost."
    />
  );
}

interface GuardedDrawerProps extends DrawerProps {
  /** The form inside has unsaved changes. */
  isDirty: boolean;
  /** True while search parameters keep this drawer open with the same form. */
  staysOpen: (search: Record<string, unknown>) => boolean;
}

/**
 * A drawer with a form, opened by the URL. It asks before unsaved changes are lost: by its close button, Escape, the Back button
 * or a link.
 */
export function GuardedDrawer({ isDirty, staysOpen, ...drawer }: GuardedDrawerProps) {
  const blocker = useLeaveBlocker(isDirty, staysOpen);
  return (
    <>
      {/* Escape answers the question, not the drawer below it. */}
      <Drawer {...drawer} closeOnEscape={blocker.status !== 'blocked'} />
      {/* Not there before, or the Escape key that closes the drawer would also close the question. */}
      {blocker.status === 'blocked' ? (
        <LeaveDialog blocker={blocker} text="Your changes are not saved. If you leave, they are lost." />
      ) : null}
    </>
  );
}

/** Reports the unsaved changes of a form to the component of its drawer. */
export function useReportDirty(isDirty: boolean, onDirty: (isDirty: boolean) => void): void {
  // Before the next key: an effect after the paint would be too late for Escape.
  useLayoutEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
}

const useLeaveBlocker = (isDirty: boolean, staysOpen?: (search: Record<string, unknown>) => boolean) =>
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      next.pathname !== '/sign-in' &&
      (current.pathname !== next.pathname || staysOpen?.(next.search as Record<string, unknown>) === false),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });

interface LeaveDialogProps {
  blocker: ReturnType<typeof useLeaveBlocker>;
  text: string;
}

/** Asks before unsaved changes are lost. */
function LeaveDialog({ blocker, text }: LeaveDialogProps) {
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
