import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import { focusContentIfLost } from '../../../focus.ts';
import type { NewSecret } from './new-secret-panel.tsx';

// The list does not wait for the form.
const CreateSubscription = lazy(async () => ({
  default: (await import('./create-subscription.tsx')).CreateSubscription,
}));

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
      // The button of the empty list is gone when there is a subscription.
      onExitTransitionEnd={focusContentIfLost}
      {...escape}
    >
      <Suspense fallback={<Skeleton height={420} aria-busy />}>
        {isOpen || isLocked ? (
          <CreateSubscription
            webinarId={webinarId}
            created={created}
            onCreated={(secret) => {
              setCreated(secret);
              // Removes the dialog from the URL, or a reload would open the form again.
              onClose();
            }}
            onStored={() => setCreated(undefined)}
            onClose={onClose}
          />
        ) : null}
      </Suspense>
    </Modal>
  );
}
