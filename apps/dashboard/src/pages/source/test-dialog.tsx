import { lazy } from 'react';
import { LateModal } from '../../components/late-modal.tsx';
import type { TestFormProps } from './test-form.tsx';

const TestForm = lazy(async () => ({ default: (await import('./test-form.tsx')).TestForm }));

export const TestDialog = ({ isOpen, ...props }: TestFormProps & { isOpen: boolean }) => (
  <LateModal opened={isOpen} onClose={props.onClose} title="Send a test" size="lg" height={180}>
    <TestForm {...props} />
  </LateModal>
);
