import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { TestFormProps } from './test-form.tsx';

// Loaded when the dialog opens.
const TestForm = lazy(async () => ({ default: (await import('./test-form.tsx')).TestForm }));

export const TestDialog = ({ isOpen, ...props }: TestFormProps & { isOpen: boolean }) => (
  <Modal opened={isOpen} onClose={props.onClose} title="Send a test" size="lg">
    <Suspense fallback={<Skeleton height={180} aria-busy />}>
      <TestForm {...props} />
    </Suspense>
  </Modal>
);
