import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

// The menu of every page opens this dialog, and few people do.
const ChangePasswordForm = lazy(async () => ({
  default: (await import('./change-password-form.tsx')).ChangePasswordForm,
}));

interface ChangePasswordDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for the current and a new password. Every other session of this person ends with the change. */
export function ChangePasswordDialog({ isOpen, onClose }: ChangePasswordDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Change password">
      <Suspense fallback={<Skeleton height={210} aria-busy />}>
        <ChangePasswordForm onClose={onClose} />
      </Suspense>
    </Modal>
  );
}
