import type { Source } from '../../source/source.ts';
import { EditSubscription } from './edit-subscription.tsx';
import { DeleteSubscription, SwitchOffSubscription } from './end-subscription.tsx';
import { NewSecretPanel, type NewSecret } from './new-secret-panel.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import type { SubscriptionDialog } from './subscription-dialogs.tsx';

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
