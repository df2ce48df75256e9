import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { useTRPC } from '../../../trpc.ts';
import type { Source } from '../../source/source.ts';
import { DeleteSubscription, SwitchOffSubscription } from './end-subscription.tsx';
import { NewSecretPanel, type NewSecret } from './new-secret-panel.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import type { SubscriptionDialog } from './subscription-dialogs.tsx';
import { SubscriptionForm } from './subscription-form.tsx';

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
