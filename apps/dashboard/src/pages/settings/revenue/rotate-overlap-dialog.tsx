import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

// Loaded when the dialog opens.
const RotateOverlapForm = lazy(async () => ({
  default: (await import('./rotate-overlap-form.tsx')).RotateOverlapForm,
}));

export interface RotateOverlapDialogProps {
  provider: string;
  title: string;
  isOpen: boolean;
  onRotated: (secret: string) => void;
  onClose: () => void;
}

/** Replaces a secret that the service has made. */
export const RotateOverlapDialog = ({ title, isOpen, ...props }: RotateOverlapDialogProps) => (
  <Modal opened={isOpen} onClose={props.onClose} title={`Rotate the secret of ${title}`}>
    <Suspense fallback={<Skeleton height={260} aria-busy />}>
      <RotateOverlapForm {...props} />
    </Suspense>
  </Modal>
);
