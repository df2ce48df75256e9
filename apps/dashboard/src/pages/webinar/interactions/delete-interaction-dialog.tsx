import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Interaction } from '../../../trpc.ts';
import { typeLooks } from './interaction-types.ts';

// Loaded when the dialog opens.
const DeleteInteraction = lazy(async () => ({
  default: (await import('./delete-interaction.tsx')).DeleteInteraction,
}));

interface DeleteInteractionDialogProps {
  /** The interaction to delete. Undefined while the dialog is closed. */
  interaction: Interaction | undefined;
  onClose: () => void;
}

export function DeleteInteractionDialog({ interaction, onClose }: DeleteInteractionDialogProps) {
  const title = interaction
    ? `Delete ${typeLooks[interaction.type].withArticle.split(' ')[1]} “${interaction.internalName}”`
    : '';
  return (
    <Modal opened={interaction !== undefined} onClose={onClose} title={title}>
      <Suspense fallback={<Skeleton height={180} aria-busy />}>
        {interaction ? <DeleteInteraction interaction={interaction} onClose={onClose} /> : null}
      </Suspense>
    </Modal>
  );
}
