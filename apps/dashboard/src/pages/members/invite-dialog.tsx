import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Invitation } from '../../trpc.ts';

// The list does not wait for the form.
const Invite = lazy(async () => ({ default: (await import('./invite.tsx')).Invite }));

interface InviteDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Two steps: the form, then the link. */
export function InviteDialog({ isOpen, onClose }: InviteDialogProps) {
  const [made, setMade] = useState<Invitation>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={close} title={made ? 'Send this link' : 'Invite a person'}>
      <Suspense fallback={<Skeleton height={200} aria-busy />}>
        <Invite made={made} onMade={setMade} onClose={close} />
      </Suspense>
    </Modal>
  );
}
