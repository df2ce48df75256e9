// The fields of segments and branches as callers write them. The defaults are separate, because a PATCH has no defaults.
import { id, text } from '@service/trpc';
import { z } from 'zod';
import { Conditions } from '../condition/condition.ts';
import { branchKinds } from '../entities/branch.ts';
import { mediaUrl } from '../entities/webinar-settings.ts';
import { slug, wholeNumber } from '../field-inputs.ts';

/** A day, like the longest webinar. */
const secondsMax = 86_400;

const coordinate = z.number().min(-1_000_000).max(1_000_000);

export const segmentFields = {
  key: slug.describe('Identifier for your code. Unique in the webinar.'),
  title: text(200),
  videoUrl: mediaUrl.nullable().describe('URL of the video, https or http. Null if there is none yet.'),
  durationSeconds: wholeNumber.min(1).max(secondsMax),
  isEntry: z.boolean().describe('Viewers begin with this segment. A webinar has exactly one.'),
  isTerminal: z.boolean().describe('The webinar ends with this segment. No branch leaves it.'),
  canvas: z.strictObject({ x: coordinate, y: coordinate }).describe('Position in the editor.'),
};

export const segmentDefaults = {
  videoUrl: null,
  isEntry: false,
  isTerminal: false,
  canvas: { x: 0, y: 0 },
} as const;

export const branchFields = {
  fromSegmentId: id('segment').describe('The segment that the branch leaves.'),
  toSegmentId: id('segment').describe(
    'The segment that the branch leads to. It may be one that the viewer has been in.',
  ),
  label: text(100).describe('The text of a choice that the viewer sees.'),
  priority: wholeNumber
    .min(0)
    .max(1000)
    .describe(
      'The matching condition branch with the lowest priority is taken. Choices are shown in this order.',
    ),
  via: z
    .enum(branchKinds)
    .describe(
      '`condition`: taken at the end of the segment if its conditions are met. `choice`: the viewer chooses it, also before ' +
        'the end. `default`: taken if no condition is met and there is no choice, or nothing is chosen in time.',
    ),
  conditions: Conditions.describe('Only for `condition`, which needs at least one. All must be met.'),
  promptText: text(500).nullable().describe('Only for `choice`: the question to the viewer.'),
  promptAtSeconds: wholeNumber
    .min(0)
    .max(secondsMax)
    .nullable()
    .describe('Only for `choice`: position in the segment at which it is offered. Null: at the end.'),
  choiceTimeoutSeconds: wholeNumber
    .min(1)
    .max(300)
    .describe('Seconds the viewer has to choose after the end of the segment.'),
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
