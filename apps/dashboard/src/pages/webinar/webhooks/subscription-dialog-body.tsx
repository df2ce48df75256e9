import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Question } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { ShownOnce } from '../../../components/shown-once.tsx';
import { useTRPC, useTRPCClient } from '../../../trpc.ts';
import { waitingText } from '../../source/recovery-text.ts';
import type { Source, SourceRef } from '../../source/source.ts';
import { useWaiting } from '../../source/use-source.ts';
import { VerifySamples } from '../../source/verify-samples.tsx';
import { useInvalidation } from '../use-invalidation.ts';
import type { SubscriptionDialog } from './subscription-dialogs.tsx';
import { SubscriptionForm, type NewSecret } from './subscription-form.tsx';

interface SubscriptionDialogBodyProps {
  source: Source | undefined;
  dialog: SubscriptionDialog | undefined;
  rotated: NewSecret | undefined;
  onRotated: (secret: NewSecret) => void;
  /** The new secret is stored. */
  onStored: () => void;
  onClose: () => void;
  onDeleted: () => void;
}

/** The form or question of a dialog, then the new secret. One file, so that the secret never waits for another one. */
export function SubscriptionDialogBody(props: SubscriptionDialogBodyProps) {
  const { source, dialog, rotated, onClose } = props;
  if (rotated) return <NewSecretPanel created={rotated} onDone={props.onStored} />;
  if (!source || !dialog) return null;
  const shared = { source, onClose };
  if (dialog === 'edit') return <EditSubscription key={source.id} {...shared} />;
  if (dialog === 'rotate') return <RotateSecret {...shared} onRotated={props.onRotated} />;
  if (dialog === 'off') return <SwitchOffSubscription {...shared} onDone={onClose} />;
  return <DeleteSubscription {...shared} onDone={props.onDeleted} />;
}

interface CreateSubscriptionProps {
  webinarId: string;
  created: NewSecret | undefined;
  onCreated: (secret: NewSecret) => void;
  /** The new secret is stored. */
  onStored: () => void;
  onClose: () => void;
}

/** The form, then the secret. One file, so that the secret never waits for another one. */
export const CreateSubscription = ({ created, onStored, ...props }: CreateSubscriptionProps) =>
  created ? <NewSecretPanel created={created} onDone={onStored} /> : <SubscriptionForm {...props} />;

/** The form of a subscription, with the whole record, whose version is sent with the change. */
function EditSubscription({ source, onClose }: { source: Source; onClose: () => void }) {
  const trpc = useTRPC();
  const { webinarId, id: webhookId } = source;
  const { data, error, refetch } = useQuery(trpc.webhooks.get.queryOptions({ webinarId, webhookId }));
  if (data) return <SubscriptionForm webinarId={webinarId} stored={data.data} onClose={onClose} />;
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return <Skeleton height={420} aria-busy />;
}

/** The new secret of a subscription with code that verifies it. */
const NewSecretPanel = ({ created, onDone }: { created: NewSecret; onDone: () => void }) => (
  <ShownOnce
    noun="secret"
    advice="Store it where your endpoint can read it. If it is lost, rotate the secret."
    name={created.name}
    text={created.secret}
    label="Signing secret"
    testId="new-secret"
    onDone={onDone}
  >
    <VerifySamples />
  </ShownOnce>
);

interface RotateSecretProps {
  source: Source;
  onRotated: (created: NewSecret) => void;
  onClose: () => void;
}

function RotateSecret({ source, onRotated, onClose }: RotateSecretProps) {
  const { webhooks } = useTRPCClient();
  const changed = useInvalidation((trpc) => [trpc.webhooks]);
  const params = { webinarId: source.webinarId, webhookId: source.id };
  return (
    <Question
      text={
        <>
          The present secret ends at once. There is no grace period: from then on every delivery is signed
          with the new secret, tries of waiting deliveries included. Your endpoint refuses them until it knows
          the new secret, and they are tried again later.
        </>
      }
      confirm="Rotate secret"
      apiCall={{ operation: 'POST /webinars/{webinarId}/webhooks/{webhookId}/rotate-secret', params }}
      act={() => webhooks.rotateSecret.mutate(params)}
      onDone={({ data }) => {
        onRotated({ name: source.name, secret: data.secret });
        void changed();
      }}
      onClose={onClose}
    />
  );
}

interface EndSubscriptionProps {
  source: Source;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before a subscription is switched off. */
function SwitchOffSubscription({ source, ...props }: EndSubscriptionProps) {
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
function DeleteSubscription({ source, ...props }: EndSubscriptionProps) {
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
  const changed = useInvalidation((trpc) => [trpc.webhooks, trpc.deliveries]);
  return {
    message: `“${name}” is ${state}.`,
    onClose,
    async onDone() {
      onDone();
      await changed();
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
