import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import type { Source } from '../../source/source.ts';
import { EditSubscription } from './edit-subscription.tsx';
import { DeleteSubscription, SwitchOffSubscription } from './end-subscription.tsx';
import { NewSecretPanel, type NewSecret } from './new-secret-panel.tsx';
import { RotateSecret } from './rotate-secret.tsx';

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
      {rotated ? <NewSecretPanel created={rotated} onDone={() => setRotated(undefined)} /> : null}
      {source && shown === 'edit' ? (
        <EditSubscription key={source.id} source={source} onClose={onClose} />
      ) : null}
      {source && shown === 'rotate' && !rotated ? (
        <RotateSecret
          source={source}
          onRotated={(secret) => {
            setRotated(secret);
            onClose();
          }}
          onClose={onClose}
        />
      ) : null}
      {source && shown === 'off' ? (
        <SwitchOffSubscription source={source} onDone={onClose} onClose={onClose} />
      ) : null}
      {source && shown === 'delete' ? (
        <DeleteSubscription source={source} onDone={onDeleted} onClose={onClose} />
      ) : null}
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
