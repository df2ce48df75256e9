import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../../trpc.ts';
import { subscriptionName, type Source } from '../../source/source.ts';
import type { SubscribableType } from './event-types-input.tsx';
import { SubscriptionForm, type SubscriptionValues } from './subscription-form.tsx';

interface SubscriptionDialogProps {
  source: Source;
  onClose: () => void;
}

export function EditSubscription({ source, onClose }: SubscriptionDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { id: webhookId, webinarId, url, description, eventTypes } = source;
  const { mutateAsync, isPending, error } = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: async ({ data }) => {
        await queryClient.invalidateQueries(trpc.webhooks.pathFilter());
        notifications.show({ message: `“${subscriptionName(data)}” is saved.` });
        onClose();
      },
    }),
  );
  return (
    <SubscriptionForm
      draftName={`subscription:${webhookId}`}
      initialValues={{
        url,
        description: description ?? '',
        // A subscription has no other types.
        eventTypes: eventTypes as SubscribableType[],
      }}
      submit="Save"
      save={(values) => mutateAsync({ webinarId, webhookId, ...toBody(values) })}
      apiCallOf={(values) => ({
        operation: 'PATCH /webinars/{webinarId}/webhooks/{webhookId}',
        params: { webinarId, webhookId },
        body: toBody(values),
      })}
      isPending={isPending}
      error={error}
      onCancel={onClose}
    />
  );
}

const toBody = (values: SubscriptionValues) => ({ ...values, description: values.description || null });
