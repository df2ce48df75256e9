import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Registration } from '../../../trpc.ts';

// Loaded when the dialog opens.
const CancelRegistrations = lazy(async () => ({
  default: (await import('./cancel-registrations.tsx')).CancelRegistrations,
}));

export interface CancelDialogProps {
  /** The registrations to cancel. Undefined while the dialog is closed. */
  registrations: readonly Registration[] | undefined;
  onClose: () => void;
  onDone: () => void;
}

export function CancelDialog({ registrations, onClose, onDone }: CancelDialogProps) {
  const isOne = registrations?.length === 1;
  return (
    <Modal
      opened={registrations !== undefined}
      onClose={onClose}
      title={isOne ? 'Cancel registration' : 'Cancel registrations'}
    >
      {registrations ? (
        <Suspense fallback={<Skeleton height={120} aria-busy />}>
          <CancelRegistrations registrations={registrations} onClose={onClose} onDone={onDone} />
        </Suspense>
      ) : null}
    </Modal>
  );
}
