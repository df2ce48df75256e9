// The fields of segments and branches as callers write them. What may be left out, and what it is then, is kept apart, because
// a PATCH knows the fields but no defaults.
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
  key: slug.describe('What your code calls it, unique in the webinar.'),
  title: text(200),
  videoUrl: mediaUrl.nullable().describe('Its video, https or http; null while there is none.'),
  durationSeconds: wholeNumber.min(1).max(secondsMax),
  isEntry: z.boolean().describe('Whether everybody begins with it; one segment of a webinar.'),
  isTerminal: z.boolean().describe('Whether the webinar ends with it; no branch leaves it.'),
  canvas: z.strictObject({ x: coordinate, y: coordinate }).describe('Where the editor draws it.'),
};

export const segmentDefaults = {
  videoUrl: null,
  isEntry: false,
  isTerminal: false,
  canvas: { x: 0, y: 0 },
} as const;

export const branchFields = {
  fromSegmentId: id('segment').describe('The segment it leaves.'),
  toSegmentId: id('segment').describe('The segment it leads to; may be one that the viewer has been in.'),
  label: text(100).describe('Of a choice, what the viewer sees.'),
  priority: wholeNumber
    .min(0)
    .max(1000)
    .describe('Of several conditions that hold the lowest is taken; choices are shown in this order.'),
  via: z
    .enum(branchKinds)
    .describe(
      'When the segment ends, the first `condition` that holds is taken; else the viewer is asked when there is a ' +
        '`choice`, which may also be taken before the end; else, and when nothing is chosen in time, the `default`.',
    ),
  conditions: Conditions.describe('Only of `condition`, which needs at least one; all must hold.'),
  promptText: text(500).nullable().describe('Only of `choice`: what the viewer is asked.'),
  promptAtSeconds: wholeNumber
    .min(0)
    .max(secondsMax)
    .nullable()
    .describe('Only of `choice`: when it is offered, before the end of the segment; null: at its end.'),
  choiceTimeoutSeconds: wholeNumber
    .min(1)
    .max(300)
    .describe('How long the viewer may choose after the end of the segment.'),
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
