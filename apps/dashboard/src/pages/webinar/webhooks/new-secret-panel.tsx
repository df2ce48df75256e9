import { ShownOnce } from '../../../components/shown-once.tsx';
import { VerifySamples } from '../../source/verify-samples.tsx';

export interface NewSecret {
  /** The name of the subscription. */
  name: string;
  secret: string;
}

/** The new secret of a subscription with code that verifies it. */
export const NewSecretPanel = ({ created, onDone }: { created: NewSecret; onDone: () => void }) => (
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
