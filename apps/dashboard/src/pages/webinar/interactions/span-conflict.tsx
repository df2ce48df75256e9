import { ConflictDialog } from '../../../record-form/conflict-dialog.tsx';
import { mergeEdits } from '../../../record-form/edits.ts';
import type { Conflict } from '../../../record-form/use-record-form.ts';
import { formatPosition } from '../../../time-text.ts';
import { interactionLabels } from './form-texts.ts';
import type { Times } from './spans.ts';
import { isSame, type Draft, type SpanEdit } from './use-span-edit.ts';

type SpanConflictProps = NonNullable<SpanEdit['refused']> & Pick<SpanEdit, 'send'> & { onClose: () => void };

/** The choice between two people's times of a bar. */
export const SpanConflict = (props: SpanConflictProps) => (
  <ConflictDialog conflict={conflictOf(props)} labels={interactionLabels} describe={describeTime} />
);

function conflictOf({ draft, current, send, onClose: close }: SpanConflictProps): Conflict<Times> {
  const { interaction, times }: Draft = draft;
  const edits = { base: timesIn(interaction), mine: times, theirs: timesIn(current) };
  return {
    ...edits,
    resolve(keepsMine) {
      close();
      const merged = mergeEdits(edits, keepsMine);
      if (!isSame(merged, current)) send({ interaction: current, times: merged });
    },
    takeTheirs: close,
    close,
  };
}

const timesIn = ({ showAtSeconds, hideAtSeconds }: Times): Times => ({ showAtSeconds, hideAtSeconds });

const describeTime = (_path: string, seconds: unknown): string =>
  typeof seconds === 'number' ? formatPosition(seconds) : 'the end of the video';
