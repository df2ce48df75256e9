import { ConflictDialog } from './conflict-dialog.tsx';
import type { ConflictChoicesProps } from './conflict-choices.tsx';
import { mergeEdits, type Edits, type SavedChange } from './edits.ts';

export interface EditConflictProps<Values extends object>
  extends Edits<Values>, Pick<ConflictChoicesProps<Values>, 'labels' | 'describe'> {
  saved?: SavedChange | undefined;
  /** Saves the merged values. */
  onResolve: (merged: Values) => void;
  onClose: () => void;
}

/** The conflict of two people about an edit without a form, such as a bar that both have moved. */
export function EditConflict<Values extends object>({
  labels,
  describe,
  onResolve,
  onClose,
  ...edits
}: EditConflictProps<Values>) {
  const conflict = {
    ...edits,
    resolve(keepsMine: (path: string) => boolean) {
      onClose();
      onResolve(mergeEdits(edits, keepsMine));
    },
    takeTheirs: onClose,
    close: onClose,
  };
  return <ConflictDialog conflict={conflict} labels={labels} describe={describe} />;
}
