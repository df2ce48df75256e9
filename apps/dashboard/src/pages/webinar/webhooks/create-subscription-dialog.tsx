import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import { NewSecretPanel, type NewSecret } from './new-secret-panel.tsx';
import { SubscriptionForm } from './subscription-form.tsx';

interface CreateSubscriptionDialogProps {
  webinarId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Two steps: the form, then the secret. The second step closes only after the person confirms that the secret is stored. */
export function CreateSubscriptionDialog({ webinarId, isOpen, onClose }: CreateSubscriptionDialogProps) {
  // The secret is only in this state: not in the URL, not in a cache.
  const [created, setCreated] = useState<NewSecret>();
  const isLocked = created !== undefined;
  const escape = useOwnEscape(isOpen && !isLocked, onClose);
  return (
    <Modal
      opened={isOpen || isLocked}
      onClose={onClose}
      size={620}
      title={isLocked ? 'Store the signing secret' : 'Create subscription'}
      closeOnClickOutside={false}
      withCloseButton={!isLocked}
      {...escape}
    >
      {created ? <NewSecretPanel created={created} onDone={() => setCreated(undefined)} /> : null}
      {isOpen && !created ? (
        <SubscriptionForm
          webinarId={webinarId}
          onClose={onClose}
          onCreated={(secret) => {
            setCreated(secret);
            // Removes the dialog from the URL, or a reload would open the form again.
            onClose();
          }}
        />
      ) : null}
    </Modal>
  );
}
