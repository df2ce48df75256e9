// The form of a branch. Fields have the names of the API; a time is a text, because half a time can be typed.
import type { RoomPreview } from '@service/attendees';
import { CreateBranchInput } from '@service/webinars/inputs';
import { formatPosition, parsePosition } from '../../../time-text.ts';
import type { Branch, Segment } from '../../../trpc.ts';
import { validateBy } from '../../../zod-form.ts';
import { secondsOrNull, textOrNull } from '../fields.ts';

export type BranchValues = ReturnType<typeof toValues>;

/** A segment needs one default branch, so the first new branch is it. */
export const firstValues = (fromSegmentId: string, siblings: readonly Branch[]): BranchValues => ({
  fromSegmentId,
  toSegmentId: '',
  label: '',
  via: siblings.some(({ via }) => via === 'default') ? 'choice' : 'default',
  conditions: [],
  promptText: '',
  promptAtSeconds: '',
  choiceTimeoutSeconds: 15,
});

export const toValues = ({ promptText, promptAtSeconds, ...branch }: Branch) => ({
  fromSegmentId: branch.fromSegmentId,
  toSegmentId: branch.toSegmentId,
  label: branch.label,
  via: branch.via,
  conditions: branch.conditions,
  promptText: promptText ?? '',
  promptAtSeconds: promptAtSeconds === null ? '' : formatPosition(promptAtSeconds),
  choiceTimeoutSeconds: branch.choiceTimeoutSeconds as number | string,
});

/** The body of the call. Fields of another kind of branch are emptied, because the API refuses them. */
export function toBody({ via, conditions, promptText, promptAtSeconds, ...values }: BranchValues) {
  const isChoice = via === 'choice';
  const { choiceTimeoutSeconds } = values;
  return {
    fromSegmentId: values.fromSegmentId,
    toSegmentId: values.toSegmentId,
    label: values.label,
    via,
    conditions: via === 'condition' ? conditions : [],
    promptText: isChoice ? textOrNull(promptText) : null,
    promptAtSeconds: isChoice ? secondsOrNull(promptAtSeconds) : null,
    choiceTimeoutSeconds: choiceTimeoutSeconds === '' ? Number.NaN : Number(choiceTimeoutSeconds),
  };
}

/** The choices of a segment as the room gets them at its end, with the edited one among its `siblings`. */
export function toPath(
  values: BranchValues,
  { siblings, storedId = 'new' }: { siblings: readonly Branch[]; storedId: string | undefined },
): NonNullable<RoomPreview['path']> {
  const edited = { ...toBody(values), id: storedId };
  const isNew = !siblings.some(({ id }) => id === storedId);
  const branches = [
    ...siblings.map((one) => (one.id === storedId ? edited : one)),
    ...(isNew ? [edited] : []),
  ];
  return {
    segmentId: values.fromSegmentId,
    title: '',
    videoUrl: null,
    durationSeconds: 0,
    isTerminal: false,
    inTransition: true,
    choices: branches
      .filter(({ via }) => via === 'choice')
      .map(({ id, label, promptText, choiceTimeoutSeconds }) => ({
        branchId: id,
        label: label || 'Name',
        promptText,
        promptAtSeconds: null,
        timeoutSeconds: choiceTimeoutSeconds || 1,
      })),
    defaultBranchId: 'default',
    nextVideoUrls: [],
  };
}

/** The `validate` of the form: the API's own check, with words for what it cannot know. */
export const validateBranch =
  (webinarId: string, segments: readonly Segment[]) =>
  (values: BranchValues): Record<string, string> => ({
    ...validateBy(CreateBranchInput, (current: BranchValues) => ({ webinarId, ...toBody(current) }))(values),
    ...(values.toSegmentId === '' && { toSegmentId: 'Choose a segment.' }),
    ...promptProblem(values, segments),
  });

function promptProblem(
  { via, promptAtSeconds, fromSegmentId }: BranchValues,
  segments: readonly Segment[],
): Record<string, string> {
  if (via !== 'choice' || promptAtSeconds.trim() === '') return {};
  const seconds = parsePosition(promptAtSeconds);
  if (seconds === undefined) return { promptAtSeconds: 'Write a time such as 1:30.' };
  const from = segments.find(({ id }) => id === fromSegmentId);
  return from && seconds >= from.durationSeconds
    ? { promptAtSeconds: `Must be before the end of its segment, ${formatPosition(from.durationSeconds)}.` }
    : {};
}

/** The kinds of branches in words. */
export const viaTexts: Readonly<Record<Branch['via'], { word: string; text: string }>> = {
  choice: { word: 'Choice', text: 'The viewer picks it.' },
  condition: { word: 'Condition', text: 'Taken if the viewer meets all conditions. Tried before choices.' },
  default: { word: 'Default', text: 'Taken if no condition is met and the viewer chooses nothing.' },
};
