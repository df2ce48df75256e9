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
    id: z.uuid(),
    webinarId: z.uuid(),
    key: z.string(),
    title: z.string(),
    videoUrl: z.string().nullable(),
    durationSeconds: z.number().int(),
    isEntry: z.boolean(),
    isTerminal: z.boolean(),
    canvas: z.object({ x: z.number(), y: z.number() }).meta({ id: 'CanvasPosition' }),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Segment' });

export const BranchOutput = z
  .object({
    id: z.uuid(),
    webinarId: z.uuid(),
    fromSegmentId: z.uuid(),
    toSegmentId: z.uuid(),
    label: z.string(),
    priority: z.number().int(),
    via: branchKind,
    conditions: z.array(ConditionOutput),
    promptText: z.string().nullable(),
    promptAtSeconds: z.number().int().nullable(),
    choiceTimeoutSeconds: z.number().int(),
    createdAt: instant(),
    updatedAt: instant(),
  })
  .meta({ id: 'Branch' });

export const segmentToOutput = (segment: Segment): z.output<typeof SegmentOutput> =>
  recordToOutput(SegmentOutput, segment, {});

export const branchToOutput = (branch: Branch): z.output<typeof BranchOutput> =>
  recordToOutput(BranchOutput, branch, {});
