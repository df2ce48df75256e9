import { lazy } from 'react';
import { LateModal } from '../components/late-modal.tsx';
import type { ConflictChoicesProps } from './conflict-choices.tsx';
import type { Conflict } from './use-record-form.ts';

// Loaded at the first conflict, which few people see.
const ConflictChoices = lazy(async () => ({
  default: (await import('./conflict-choices.tsx')).ConflictChoices,
}));

type ConflictDialogProps<Values> = Omit<ConflictChoicesProps<Values>, 'conflict'> & {
  conflict: Conflict<Values> | undefined;
};

/** Shows two changes of one record field by field. Nothing is saved or dropped until the reader chooses. */
export function ConflictDialog<Values extends object>({ conflict, ...props }: ConflictDialogProps<Values>) {
  return (
    <LateModal
      opened={conflict !== undefined}
      onClose={() => conflict?.close()}
      title="This was changed in the meantime"
      size="lg"
      height={200}
    >
      {conflict ? <ConflictChoices conflict={conflict} {...props} /> : null}
    </LateModal>
  );
}
