import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Registration } from '../../../trpc.ts';

// Loaded when the dialog opens.
const RotateLink = lazy(async () => ({ default: (await import('./rotate-link.tsx')).RotateLink }));

interface RotateDialogProps {
  /** Undefined while the dialog is closed. */
  registration: Registration | undefined;
  onClose: () => void;
}

export function RotateDialog({ registration, onClose }: RotateDialogProps) {
  return (
    <Modal opened={registration !== undefined} onClose={onClose} title="New join link">
      {registration ? (
        <Suspense fallback={<Skeleton height={120} aria-busy />}>
          <RotateLink registration={registration} onClose={onClose} />
        </Suspense>
      ) : null}
    </Modal>
  );
}
