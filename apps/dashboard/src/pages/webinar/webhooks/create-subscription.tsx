import { NewSecretPanel, type NewSecret } from './new-secret-panel.tsx';
import { SubscriptionForm } from './subscription-form.tsx';

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
