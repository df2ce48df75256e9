import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Session, Webinar } from '../../../trpc.ts';

// Each is loaded when its dialog opens.
const CreateSession = lazy(async () => ({ default: (await import('./create-session.tsx')).CreateSession }));
const MoveSession = lazy(async () => ({ default: (await import('./move-session.tsx')).MoveSession }));
const CancelSession = lazy(async () => ({ default: (await import('./cancel-session.tsx')).CancelSession }));

interface SessionDialogsProps {
  webinar: Webinar;
  isCreating: boolean;
  onCloseCreate: () => void;
  /** The session to move. Undefined while the dialog is closed. */
  moving: Session | undefined;
  onCloseMove: () => void;
  /** The session to cancel. Undefined while the dialog is closed. */
  cancelling: Session | undefined;
  onCloseCancel: () => void;
}

export function SessionDialogs({ webinar, isCreating, moving, cancelling, ...on }: SessionDialogsProps) {
  const waiting = <Skeleton height={180} aria-busy />;
  return (
    <>
      <Modal opened={isCreating} onClose={on.onCloseCreate} title="Create API-controlled session">
        <Suspense fallback={waiting}>
          {isCreating ? <CreateSession webinar={webinar} onClose={on.onCloseCreate} /> : null}
        </Suspense>
      </Modal>
      <Modal opened={moving !== undefined} onClose={on.onCloseMove} title="Move session">
        <Suspense fallback={waiting}>
          {moving ? <MoveSession webinar={webinar} session={moving} onClose={on.onCloseMove} /> : null}
        </Suspense>
      </Modal>
      <Modal opened={cancelling !== undefined} onClose={on.onCloseCancel} title="Cancel session">
        <Suspense fallback={waiting}>
          {cancelling ? (
            <CancelSession webinar={webinar} session={cancelling} onClose={on.onCloseCancel} />
          ) : null}
        </Suspense>
      </Modal>
    </>
  );
}
