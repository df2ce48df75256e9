import type { Issue } from '@service/errors';
import { id, instant, pageInput, recordToOutput } from '@service/trpc/fields';
import { z } from 'zod';
import {
  addWholeProblems,
  besideFieldProblems,
  namesChanges,
  needsChanges,
  withDefaults,
} from '../field-inputs.ts';
import { ConditionOutput } from '@service/conditions';
import type { Branch, Segment } from '../entities/segment.ts';
import {
  branchDefaults,
  branchFields,
  branchKind,
  branchProblems,
  segmentDefaults,
  segmentFields,
} from './segment-fields.ts';

const webinarId = id('webinar');

export const SegmentInput = z.strictObject({ webinarId, segmentId: id('segment') });

export const BranchInput = z.strictObject({ webinarId, branchId: id('branch') });

/** Input of the lists of segments and of branches. */
export const ListInput = z.strictObject({ webinarId, ...pageInput });

export const CreateSegmentInput = z
  .strictObject({
    webinarId,
    ...withDefaults(segmentFields, segmentDefaults),
    key: segmentFields.key
      .optional()
      .describe('Stable name for your code. Unique in the webinar. Made from the title if omitted.'),
  })
  .meta({
    id: 'CreateSegmentInput',
    examples: [
      {
        title: 'Introduction',
        videoUrl: 'https://media.example.com/introduction.mp4',
        durationSeconds: 300,
        isEntry: true,
      },
    ],
  });

export const UpdateSegmentInput = z
  .strictObject({ ...SegmentInput.shape, ...z.object(segmentFields).partial().shape })
  .refine(namesChanges, needsChanges)
  .meta({ id: 'UpdateSegmentInput', examples: [{ title: 'Welcome' }] });

export const CreateBranchInput = z
  .strictObject({ webinarId, ...withDefaults(branchFields, branchDefaults) })
  .superRefine((input, ctx) => addWholeProblems(input, ctx, branchProblems), besideFieldProblems)
  .meta({
    id: 'CreateBranchInput',
    examples: [
      {
        fromSegmentId: '019aa1c2-7ac2-7b1f-8e60-5a1f3a7a5d01',
        toSegmentId: '019aa1c2-7ac2-7b1f-8e60-5a1f3a7a5d02',
        label: 'Show me the prices',
        via: 'choice',
        promptText: 'What would you like to see next?',
      },
    ],
  });

/**
 * The result of an update is checked when the stored fields are loaded. That does not happen if a field is invalid, so then the
 * problems between the given fields are reported here.
 */
export const UpdateBranchInput = z
  .strictObject({ ...BranchInput.shape, ...z.object(branchFields).partial().shape })
  .superRefine((input, ctx) => addWholeProblems(input, ctx, problemsOfNamed), {
    when: (payload) => payload.issues.length > 0 && besideFieldProblems.when(payload),
  })
  .refine(namesChanges, needsChanges)
  .meta({ id: 'UpdateBranchInput', examples: [{ label: 'Show me more' }] });

function problemsOfNamed(named: object): Issue[] {
  return branchProblems(named).filter(({ path }) => path in named);
}

export const SegmentOutput = z
  .object({
    id: id('segment'),
    webinarId: id('webinar'),
    key: z.string().describe('Stable name for your code. Unique in the webinar.'),
    title: z.string().describe('Name of the segment.'),
    videoUrl: z.string().nullable().describe('http or https URL of the video. Null if there is none yet.'),
    durationSeconds: z.number().int().describe('Duration of the video in seconds.'),
    isEntry: z.boolean().describe('True if viewers start with this segment.'),
    isTerminal: z.boolean().describe('True if the webinar ends with this segment.'),
    canvas: z
      .object({
        x: z.number().describe('Pixels to the right.'),
        y: z.number().describe('Pixels downwards.'),
      })
      .meta({ id: 'CanvasPosition', description: 'Position in the editor.' }),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Segment' });

export const BranchOutput = z
  .object({
    id: id('branch'),
    webinarId: id('webinar'),
    fromSegmentId: z.uuid().describe('Segment that the branch leaves.'),
    toSegmentId: z.uuid().describe('Segment that the branch leads to.'),
    label: z.string().describe('Name of the branch. Viewers see it if the branch is a choice.'),
    priority: z
      .number()
      .int()
      .describe('Branches are tried and choices are shown in this order, lowest first.'),
    via: branchKind,
    conditions: z.array(ConditionOutput).describe('The conditions of a `condition` branch. All must be met.'),
    promptText: z.string().nullable().describe('Question to the viewer of a `choice`. Null means none.'),
    promptAtSeconds: z
      .number()
      .int()
      .nullable()
      .describe('Position in the segment at which a `choice` is offered. Null means at the end.'),
    choiceTimeoutSeconds: z.number().int().describe('Seconds to choose after the end of the segment.'),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Branch' });

export const segmentToOutput = (segment: Segment): z.output<typeof SegmentOutput> =>
  recordToOutput(SegmentOutput, segment, {});

export const branchToOutput = (branch: Branch): z.output<typeof BranchOutput> =>
  recordToOutput(BranchOutput, branch, {});
