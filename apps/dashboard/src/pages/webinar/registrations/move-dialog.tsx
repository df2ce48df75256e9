import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Registration, Webinar } from '../../../trpc.ts';

// Loaded when the dialog opens.
const MoveForm = lazy(async () => ({ default: (await import('./move-form.tsx')).MoveForm }));

interface MoveDialogProps {
  webinar: Webinar;
  /** Undefined while the dialog is closed. */
  registration: Registration | undefined;
  onClose: () => void;
}

export function MoveDialog({ registration, ...props }: MoveDialogProps) {
  return (
    <Modal opened={registration !== undefined} onClose={props.onClose} title="Move to another session">
      {registration ? (
        <Suspense fallback={<Skeleton height={180} aria-busy />}>
          <MoveForm registration={registration} {...props} />
        </Suspense>
      ) : null}
    </Modal>
  );
}
