import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Question } from '../../../components/question.tsx';
import { useTRPC } from '../../../trpc.ts';
import type { Source } from '../../source/source.ts';
import { CancelledText } from '../../source/cancelled-text.tsx';

interface EndSubscriptionProps {
  source: Source;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before a subscription is switched off. */
export function SwitchOffSubscription({ source, onDone, onClose }: EndSubscriptionProps) {
  const trpc = useTRPC();
  const update = useMutation(trpc.webhooks.update.mutationOptions(useEnding(source, 'off', onDone)));
  const { webinarId, id: webhookId } = source;
  return (
    <Question
      text={
        <>
          Nothing is sent to <code>{source.url}</code> until you switch it on again, and events of that time
          are not sent later. <CancelledText source={source} /> To keep what waits, halt deliveries instead.
        </>
      }
      confirm="Switch off"
      isPending={update.isPending}
      error={update.error}
      apiCall={{
        operation: 'PATCH /webinars/{webinarId}/webhooks/{webhookId}',
        params: { webinarId, webhookId },
        body: { active: false },
      }}
      onConfirm={() => update.mutate({ webinarId, webhookId, active: false })}
      onClose={onClose}
    />
  );
}

/** Asks before a subscription is deleted. */
export function DeleteSubscription({ source, onDone, onClose }: EndSubscriptionProps) {
  const trpc = useTRPC();
  const remove = useMutation(trpc.webhooks.delete.mutationOptions(useEnding(source, 'deleted', onDone)));
  const { webinarId, id: webhookId } = source;
  return (
    <Question
      text={
        <>
          Nothing more is sent to <code>{source.url}</code>, and its secret is gone.{' '}
          <CancelledText source={source} /> This cannot be undone; to pause, halt deliveries instead.
        </>
      }
      confirm="Delete subscription"
      isPending={remove.isPending}
      error={remove.error}
      apiCall={{
        operation: 'DELETE /webinars/{webinarId}/webhooks/{webhookId}',
        params: { webinarId, webhookId },
      }}
      onConfirm={() => remove.mutate({ webinarId, webhookId })}
      onClose={onClose}
    />
  );
}

function useEnding({ name }: Source, state: 'off' | 'deleted', onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return {
    onSuccess: async () => {
      onDone();
      notifications.show({ message: `“${name}” is ${state}.` });
      await Promise.all([
        queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
        queryClient.invalidateQueries(trpc.deliveries.pathFilter()),
      ]);
    },
  };
}
