import { dataOf, pageOf, router, scopedMutation, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import { branchesRouter } from './branch-router.ts';
import { createSegment } from './create-segment.ts';
import { findSegment } from './find-segment.ts';
import { CreateSegmentInput, ListInput, SegmentInput, UpdateSegmentInput } from './inputs.ts';
import { listSegments } from './list-segments.ts';
import { SegmentOutput, segmentToOutput } from './outputs.ts';
import { deleteSegment, updateSegment } from './update-segment.ts';

const tag = 'Segments';
const path = '/webinars/{webinarId}/segments';

const staysSound =
  'What viewers of a published webinar can reach is always whole: one entry, exactly one default branch from each segment that ' +
  'is not terminal, none from those that are. A change after which that were not so is refused with ' +
  '`webinar_not_publishable` and every problem in `issues`. A segment that no way leads to yet may be unfinished: give it its way ' +
  'out first, then the way in.';

/** Segments of adaptive webinars, and the branches between them. */
export const segmentsRouter = router({
  list: scopedQuery({
    scope: 'webinars:read',
    rest: `GET ${path}`,
    tool: 'list_segments',
    summary: 'List segments',
    description: 'The parts of an adaptive webinar, newest first.',
    tag,
  })
    .input(ListInput)
    .output(pageOf(SegmentOutput))
    .query(({ ctx: { reader }, input }) => listSegments(reader, input)),

  create: scopedMutation({
    scope: 'webinars:write',
    rest: `POST ${path}`,
    tool: 'create_segment',
    summary: 'Create a segment',
    description: `A webinar of kind \`adaptive\` has up to 50. ${staysSound}`,
    tag,
    status: 201,
  })
    .input(CreateSegmentInput)
    .output(dataOf(SegmentOutput))
    .mutation(async ({ ctx, input }) => {
      const segment = await ctx.transaction((tx) => createSegment(tx, input));
      ctx.reply.location = `/webinars/${segment.webinarId}/segments/${segment.id}`;
      return { data: segmentToOutput(segment) };
    }),

  get: scopedQuery({
    scope: 'webinars:read',
    rest: `GET ${path}/{segmentId}`,
    tool: 'get_segment',
    summary: 'Get a segment',
    tag,
  })
    .input(SegmentInput)
    .output(dataOf(SegmentOutput))
    .query(async ({ ctx: { reader }, input }) => ({
      data: segmentToOutput(await findSegment(reader, input)),
    })),

  update: scopedMutation({
    scope: 'webinars:write',
    rest: `PATCH ${path}/{segmentId}`,
    tool: 'update_segment',
    summary: 'Change a segment',
    description:
      'Fields that are left out stay as they are. It cannot be made shorter than its interactions and choices need. ' +
      staysSound,
    tag,
  })
    .input(UpdateSegmentInput)
    .output(dataOf(SegmentOutput))
    .mutation(({ ctx, input: { webinarId, segmentId, ...changes } }) =>
      ctx.transaction(async (tx) => {
        const segment = await updateSegment(tx, { webinarId, segmentId }, changes);
        return { data: segmentToOutput(segment) };
      }),
    ),

  delete: scopedMutation({
    scope: 'webinars:write',
    rest: `DELETE ${path}/{segmentId}`,
    tool: 'delete_segment',
    summary: 'Delete a segment',
    description: `Not while a branch leads to or from it. Its interactions stay and belong to no segment. ${staysSound}`,
    tag,
    status: 204,
  })
    .input(SegmentInput)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.transaction((tx) => deleteSegment(tx, input))),

  branches: branchesRouter,
});
