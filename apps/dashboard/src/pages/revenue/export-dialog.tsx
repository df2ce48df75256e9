import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { RevenueSearch } from './search.ts';

// Loaded when the dialog opens.
const ExportForm = lazy(async () => ({ default: (await import('./export-form.tsx')).ExportForm }));

interface ExportDialogProps {
  search: RevenueSearch;
  isOpen: boolean;
  onClose: () => void;
}

export const ExportDialog = ({ search, isOpen, onClose }: ExportDialogProps) => (
  <Modal opened={isOpen} onClose={onClose} title="Export revenue events as CSV">
    <Suspense fallback={<Skeleton height={150} aria-busy />}>
      <ExportForm search={search} onClose={onClose} />
    </Suspense>
  </Modal>
);
