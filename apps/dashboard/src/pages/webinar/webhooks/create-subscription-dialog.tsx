import { Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../../trpc.ts';
import { subscriptionName } from '../../source/source.ts';
import { NewSecretPanel, type NewSecret } from './new-secret-panel.tsx';
import { SubscriptionForm, type SubscriptionValues } from './subscription-form.tsx';

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
  return (
    <Modal
      opened={isOpen || isLocked}
      onClose={onClose}
      size={620}
      title={isLocked ? 'Store the signing secret' : 'Create subscription'}
      closeOnClickOutside={false}
      closeOnEscape={!isLocked}
      withCloseButton={!isLocked}
    >
      {created ? <NewSecretPanel created={created} onDone={() => setCreated(undefined)} /> : null}
      {isOpen && !created ? (
        <CreateForm
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

interface CreateFormProps {
  webinarId: string;
  onClose: () => void;
  onCreated: (created: NewSecret) => void;
}

function CreateForm({ webinarId, onClose, onCreated }: CreateFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutateAsync, isPending, error } = useMutation(
    trpc.webhooks.create.mutationOptions({
      // The answer contains the secret, so it must not stay in the mutation cache.
      gcTime: 0,
      onSuccess: ({ data }) => {
        onCreated({ name: subscriptionName(data), secret: data.secret });
        void queryClient.invalidateQueries(trpc.webhooks.pathFilter());
      },
    }),
  );
  return (
    <SubscriptionForm
      draftName={`subscription:new:${webinarId}`}
      initialValues={{ url: '', description: '', eventTypes: [] }}
      submit="Create subscription"
      save={(values) => mutateAsync({ webinarId, ...toBody(values) })}
      apiCallOf={(values) => ({
        operation: 'POST /webinars/{webinarId}/webhooks',
        params: { webinarId },
        body: toBody(values),
      })}
      isPending={isPending}
      error={error}
      onCancel={onClose}
    />
  );
}

const toBody = ({ description, ...values }: SubscriptionValues) => ({
  ...values,
  ...(description === '' ? {} : { description }),
});
