import type { CreatedApiKey } from '../../trpc.ts';
import { CreateKeyForm } from './create-key-form.tsx';
import { NewKeyPanel } from './new-key-panel.tsx';

interface CreateKeyProps {
  created: CreatedApiKey | undefined;
  onCreated: (created: CreatedApiKey) => void;
  /** The new key is stored. */
  onStored: () => void;
  onCancel: () => void;
}

/** The form, then the new key. One file, so that the key never waits for another one. */
export const CreateKey = ({ created, onStored, ...props }: CreateKeyProps) =>
  created ? <NewKeyPanel created={created} onDone={onStored} /> : <CreateKeyForm {...props} />;
