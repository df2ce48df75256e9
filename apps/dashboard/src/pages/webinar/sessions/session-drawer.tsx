import { Drawer, Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { SessionActions } from './session-row.tsx';

// The list does not wait for the details and controls of one session.
const SessionDetails = lazy(async () => ({
  default: (await import('./session-details.tsx')).SessionDetails,
}));

interface SessionDrawerProps extends Pick<SessionActions, 'onMove' | 'onCancel'> {
  sessionId: string | undefined;
  /** A dialog is open above it, and takes Escape. */
  isCovered: boolean;
  onClose: () => void;
}

export function SessionDrawer({ sessionId, isCovered, onClose, ...actions }: SessionDrawerProps) {
  return (
    <Drawer
      opened={sessionId !== undefined}
      onClose={onClose}
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
      title="Session"
    >
      <Suspense fallback={<SessionSkeleton />}>
        {sessionId ? <SessionDetails key={sessionId} sessionId={sessionId} {...actions} /> : null}
      </Suspense>
    </Drawer>
  );
}

export const SessionSkeleton = () => (
  <Stack aria-busy>
    <Skeleton height={18} width={140} />
    <Skeleton height={190} />
  </Stack>
);
