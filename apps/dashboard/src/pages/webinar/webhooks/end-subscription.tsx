import { useQueryClient } from '@tanstack/react-query';
import { Question } from '../../../components/dialog-form.tsx';
import { useTRPC, useTRPCClient } from '../../../trpc.ts';
import { waitingText } from '../../source/recovery-text.ts';
import type { Source, SourceRef } from '../../source/source.ts';
import { useWaiting } from '../../source/use-source.ts';

interface EndSubscriptionProps {
  source: Source;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before a subscription is switched off. */
export function SwitchOffSubscription({ source, ...props }: EndSubscriptionProps) {
  const { webhooks } = useTRPCClient();
  const params = { webinarId: source.webinarId, webhookId: source.id };
  return (
    <Question
      {...useEnding(source, 'off', props)}
      text={
        <>
          Nothing is sent to <code>{source.url}</code> until you switch it on again, and events of that time
          are not sent later. <CancelledText source={source} /> To keep what waits, halt deliveries instead.
        </>
      }
      confirm="Switch off"
      apiCall={{
        operation: 'PATCH /webinars/{webinarId}/webhooks/{webhookId}',
        params,
        body: { active: false },
      }}
      act={() => webhooks.update.mutate({ ...params, active: false })}
    />
  );
}

/** Asks before a subscription is deleted. */
export function DeleteSubscription({ source, ...props }: EndSubscriptionProps) {
  const { webhooks } = useTRPCClient();
  const params = { webinarId: source.webinarId, webhookId: source.id };
  return (
    <Question
      {...useEnding(source, 'deleted', props)}
      text={
        <>
          Nothing more is sent to <code>{source.url}</code>, and its secret is gone.{' '}
          <CancelledText source={source} /> This cannot be undone; to pause, halt deliveries instead.
        </>
      }
      confirm="Delete subscription"
      apiCall={{ operation: 'DELETE /webinars/{webinarId}/webhooks/{webhookId}', params }}
      act={() => webhooks.delete.mutate(params)}
    />
  );
}

function useEnding(
  { name }: Source,
  state: 'off' | 'deleted',
  { onDone, onClose }: Omit<EndSubscriptionProps, 'source'>,
) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return {
    message: `“${name}” is ${state}.`,
    onClose,
    async onDone() {
      onDone();
      await Promise.all([
        queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
        queryClient.invalidateQueries(trpc.deliveries.pathFilter()),
      ]);
    },
  };
}

/** The number of deliveries that end when a subscription is switched off or deleted. */
function CancelledText({ source }: { source: SourceRef }) {
  const count = useWaiting(source)?.count;
  if (count === undefined) return 'Deliveries that wait are cancelled.';
  if (count === 0) return 'No delivery waits.';
  return (
    <strong>
      {waitingText(count)} that {count === 1 ? 'waits is' : 'wait are'} cancelled.
    </strong>
  );
}
