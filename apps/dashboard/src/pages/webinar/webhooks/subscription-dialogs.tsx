import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import type { Source } from '../../source/source.ts';
import type { NewSecret } from './subscription-form.tsx';

// Loaded when the first of these dialogs opens.
const SubscriptionDialogBody = lazy(async () => ({
  default: (await import('./subscription-dialog-body.tsx')).SubscriptionDialogBody,
}));

export type SubscriptionDialog = 'edit' | 'rotate' | 'off' | 'delete';

interface SubscriptionDialogsProps {
  source: Source | undefined;
  /** The dialog that is open. */
  dialog: SubscriptionDialog | undefined;
  onClose: () => void;
  onDeleted: () => void;
}

const titles: Record<SubscriptionDialog, string> = {
  edit: 'Edit subscription',
  rotate: 'Rotate the secret of',
  off: 'Switch off',
  delete: 'Delete',
};

/** The dialogs that change one subscription. */
export function SubscriptionDialogs({ source, dialog, onClose, onDeleted }: SubscriptionDialogsProps) {
  // The secret is only in this state: not in the URL, not in a cache.
  const [rotated, setRotated] = useState<NewSecret>();
  const shown = source ? dialog : undefined;
  const isLocked = rotated !== undefined;
  const escape = useOwnEscape(shown !== undefined && !isLocked, onClose);
  return (
    <Modal
      opened={shown !== undefined || isLocked}
      onClose={onClose}
      size={shown === 'edit' || isLocked ? 620 : undefined}
      title={titleOf(shown, source, isLocked)}
      closeOnClickOutside={!isLocked && shown !== 'edit'}
      withCloseButton={!isLocked}
      {...escape}
    >
      <Suspense fallback={<Skeleton height={shown === 'edit' ? 420 : 140} aria-busy />}>
        {shown !== undefined || isLocked ? (
          <SubscriptionDialogBody
            source={source}
            dialog={shown}
            rotated={rotated}
            onRotated={(secret) => {
              setRotated(secret);
              onClose();
            }}
            onStored={() => setRotated(undefined)}
            onClose={onClose}
            onDeleted={onDeleted}
          />
        ) : null}
      </Suspense>
    </Modal>
  );
}

function titleOf(
  dialog: SubscriptionDialog | undefined,
  source: Source | undefined,
  isLocked: boolean,
): string {
  if (isLocked) return 'Store the new signing secret';
  if (!dialog) return '';
  return dialog === 'edit' ? titles.edit : `${titles[dialog]} “${source?.name}”`;
}
