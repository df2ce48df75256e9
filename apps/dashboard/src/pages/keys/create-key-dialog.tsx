import { Modal, Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { focusContentIfLost } from '../../focus-content.ts';
import type { CreatedApiKey } from '../../trpc.ts';

// The list of keys does not wait for the form.
const CreateKey = lazy(async () => ({ default: (await import('./create-key.tsx')).CreateKey }));

interface CreateKeyDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Two steps: choose access, then store the key. The second step closes only after the person confirms that the key is stored. */
export function CreateKeyDialog({ isOpen, onClose }: CreateKeyDialogProps) {
  // The full key is only in this state: not in the URL, not in a cache.
  const [created, setCreated] = useState<CreatedApiKey>();
  const keep = (answer: CreatedApiKey) => {
    setCreated(answer);
    // Removes `create` from the URL, or a reload would open the dialog again.
    onClose();
  };
  const isLocked = created !== undefined;
  return (
    <Modal
      opened={isOpen || isLocked}
      onClose={onClose}
      size={560}
      title={isLocked ? 'Store your new key' : 'Create API key'}
      closeOnClickOutside={!isLocked}
      closeOnEscape={!isLocked}
      withCloseButton={!isLocked}
      // The button of the empty list is gone when there is a key.
      onExitTransitionEnd={focusContentIfLost}
    >
      <Suspense fallback={<Skeleton height={320} aria-busy />}>
        {isOpen || isLocked ? (
          <CreateKey
            created={created}
            onCreated={keep}
            onStored={() => setCreated(undefined)}
            onCancel={onClose}
          />
        ) : null}
      </Suspense>
    </Modal>
  );
}
