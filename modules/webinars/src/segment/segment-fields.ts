// The input fields of segments and branches. Defaults are separate, because a PATCH has the same fields without defaults.
import { Conditions } from '@service/conditions';
import { id, text } from '@service/trpc/fields';
import { z } from 'zod';
import type { Issue } from '@service/errors';
import { branchKinds } from '../entities/enums.ts';
import { mediaUrl } from '../entities/webinar-settings.ts';
import { slug, wholeNumber } from '../field-inputs.ts';

/** Segments per webinar. The limit also bounds the rows that a room loads. */
export const segmentsMax = 50;

/** Branches per webinar. */
export const branchesMax = 200;

/** One day, as for the longest webinar. */
const secondsMax = 86_400;

export const branchKind = z.enum(branchKinds).meta({
  id: 'BranchKind',
  description:
    'At the end of a segment, the first `condition` branch whose conditions are met is taken. Otherwise the viewer is ' +
    'asked to pick a `choice` branch; a choice can also be made before the end. The `default` branch is taken if there ' +
    'is no choice or the viewer does not choose in time.',
});

const coordinate = (text: string) => z.number().min(-1_000_000).max(1_000_000).describe(text);

export const segmentFields = {
  key: slug.describe('Stable name for your code. Unique in the webinar.'),
  title: text(200).describe('Name of the segment.'),
  videoUrl: mediaUrl.nullable().describe('http or https URL of the video. Null if there is none yet.'),
  durationSeconds: wholeNumber.min(1).max(secondsMax).describe('Duration of the video in seconds.'),
  isEntry: z.boolean().describe('True if viewers start with this segment. A webinar has one entry.'),
  isTerminal: z.boolean().describe('True if the webinar ends with this segment. No branch can leave it.'),
  canvas: z
    .strictObject({ x: coordinate('Pixels to the right.'), y: coordinate('Pixels downwards.') })
    .meta({ id: 'CanvasPositionInput', description: 'Position in the editor.' }),
};

export const segmentDefaults = {
  videoUrl: null,
  isEntry: false,
  isTerminal: false,
  canvas: { x: 0, y: 0 },
} as const;

export const branchFields = {
  fromSegmentId: id('segment').describe('Segment that the branch leaves.'),
  toSegmentId: id('segment').describe('Segment that the branch leads to. Viewers can return to a segment.'),
  label: text(100).describe('Name of the branch. Viewers see it if the branch is a choice.'),
  priority: wholeNumber
    .min(0)
    .max(1000)
    .describe('Branches are tried and choices are shown in this order, lowest first.'),
  via: branchKind,
  conditions: Conditions.describe(
    'Only for `condition`, which needs at least one. All conditions must be met.',
  ),
  promptText: text(500).nullable().describe('Only for `choice`. Question to the viewer.'),
  promptAtSeconds: wholeNumber
    .min(0)
    .max(secondsMax)
    .nullable()
    .describe(
      'Only for `choice`. Position in the segment at which the choice is offered. Null means at the end.',
    ),
  choiceTimeoutSeconds: wholeNumber
    .min(1)
    .max(300)
    .describe('Seconds to choose after the end of the segment. Then the default branch is taken.'),
};

export const branchDefaults = {
  priority: 0,
  conditions: [],
  promptText: null,
  promptAtSeconds: null,
  choiceTimeoutSeconds: 15,
} as const;

export type SegmentFields = z.output<z.ZodObject<typeof segmentFields>>;
export type BranchFields = z.output<z.ZodObject<typeof branchFields>>;

/** Problems between the fields of a branch. Each field is valid by itself. */
export function branchProblems({
  via,
  conditions = [],
  promptText = null,
  promptAtSeconds = null,
}: Partial<BranchFields>): Issue[] {
  if (via === undefined) return [];
  const issues: Issue[] = [];
  if (via === 'condition' && conditions.length === 0)
    issues.push({ path: 'conditions', message: 'A condition branch needs at least one condition.' });
  if (via !== 'condition' && conditions.length > 0)
    issues.push({ path: 'conditions', message: 'Only a condition branch can have conditions.' });
  if (via === 'choice') return issues;
  if (promptText !== null)
    issues.push({ path: 'promptText', message: 'Only a choice branch can have a prompt.' });
  if (promptAtSeconds !== null)
    issues.push({ path: 'promptAtSeconds', message: 'Only a choice branch can have a prompt.' });
  return issues;
}
