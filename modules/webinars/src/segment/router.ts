import {
  dataOf,
  memberMutation,
  memberQuery,
  pageOf,
  router,
  scopedMutation,
  scopedQuery,
} from '@service/trpc';
import { id } from '@service/trpc/fields';
import { z } from 'zod';
import {
  createSegment,
  deleteSegment,
  deleteWithBranches,
  findSegment,
  lockSegment,
  makeEntry,
  updateSegment,
} from './segments.ts';
import { listGraphProblems } from './require-sound.ts';
import { orderBranches } from './branches.ts';
import { branchesMax } from './segment-fields.ts';
import {
  BranchOutput,
  branchToOutput,
  CreateSegmentInput,
  ListInput,
  SegmentInput,
  SegmentOutput,
  segmentToOutput,
  UpdateSegmentInput,
} from './schemas.ts';
import { branchesRouter } from './branch-router.ts';
import { listSegments } from './list-segments.ts';

const GraphProblemOutput = z.object({
  path: z.string(),
  message: z.string(),
  segmentId: z.uuid().nullable(),
  branchId: z.uuid().nullable(),
});

const OrderBranchesInput = z.strictObject({
  ...SegmentInput.shape,
  branchIds: z.array(id('branch')).min(1).max(branchesMax),
});

const tag = 'Segments';
const path = '/webinars/{webinarId}/segments';

const staysSound =
  'The segments that viewers of a published webinar can reach need one entry, exactly one default branch from each segment ' +
  'that is not terminal, and no branch from a terminal segment. A change that breaks this is refused with ' +
  '`webinar_not_publishable` and all problems in `issues`. A segment that viewers cannot reach may be incomplete, so create ' +
  'its outgoing branches before the branch that leads to it.';

/** Segments of adaptive webinars, and the branches between them. */
export const segmentsRouter = router({
  list: scopedQuery({
    scope: 'webinars:read',
    rest: `GET ${path}`,
    tool: 'list_segments',
    summary: 'List segments',
    description: 'Segments of an adaptive webinar, newest first.',
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
    description: `Only for adaptive webinars, at most 50 segments. ${staysSound}`,
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
    summary: 'Update a segment',
    description:
      'Omitted fields stay unchanged. The duration must be longer than the times of its interactions and choices. ' +
      staysSound,
    tag,
  })
    .input(UpdateSegmentInput)
    .output(dataOf(SegmentOutput))
    .mutation(({ ctx, input: { webinarId, segmentId, ...changes } }) =>
      ctx.edit({
        record: SegmentOutput,
        lock: async (tx) => segmentToOutput((await lockSegment(tx, { webinarId, segmentId })).segment),
        async change(tx) {
          const segment = await updateSegment(tx, { webinarId, segmentId }, changes);
          return { data: segmentToOutput(segment) };
        },
      }),
    ),

  delete: scopedMutation({
    scope: 'webinars:write',
    rest: `DELETE ${path}/{segmentId}`,
    tool: 'delete_segment',
    summary: 'Delete a segment',
    description: `Refused while a branch leads to or from the segment. Its interactions stay, without a segment. ${staysSound}`,
    tag,
    status: 204,
  })
    .input(SegmentInput)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.transaction((tx) => deleteSegment(tx, input))),

  // Procedures of the dashboard's editor. API clients have one call for each segment and branch.
  problems: memberQuery()
    .input(SegmentInput.pick({ webinarId: true }))
    .output(dataOf(z.array(GraphProblemOutput)))
    .query(async ({ ctx: { reader }, input: { webinarId } }) => ({
      data: await listGraphProblems(reader, webinarId),
    })),

  deleteWithBranches: memberMutation()
    .input(SegmentInput)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.transaction((tx) => deleteWithBranches(tx, input))),

  makeEntry: memberMutation()
    .input(SegmentInput)
    .output(dataOf(SegmentOutput))
    .mutation(async ({ ctx, input }) => ({
      data: segmentToOutput(await ctx.transaction((tx) => makeEntry(tx, input))),
    })),

  orderBranches: memberMutation()
    .input(OrderBranchesInput)
    .output(dataOf(z.array(BranchOutput)))
    .mutation(async ({ ctx, input }) => {
      const branches = await ctx.transaction((tx) => orderBranches(tx, input));
      return { data: branches.map(branchToOutput) };
    }),

  branches: branchesRouter,
});
