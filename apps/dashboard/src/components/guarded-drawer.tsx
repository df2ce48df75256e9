import { Drawer, type DrawerProps } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { LeaveDialog } from './unsaved-guard.tsx';

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
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty &&
      next.pathname !== '/sign-in' &&
      (current.pathname !== next.pathname || !staysOpen(next.search as Record<string, unknown>)),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
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
