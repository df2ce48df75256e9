import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

// The list does not wait for the form.
const CreateWebinarForm = lazy(async () => ({
  default: (await import('./create-webinar-form.tsx')).CreateWebinarForm,
}));

interface CreateWebinarDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export const CreateWebinarDialog = ({ isOpen, onClose }: CreateWebinarDialogProps) => (
  <Modal opened={isOpen} onClose={onClose} title="Create webinar">
    <Suspense fallback={<Skeleton height={360} aria-busy />}>
      <CreateWebinarForm onClose={onClose} />
    </Suspense>
  </Modal>
);
