import { dataOf, memberMutation, memberQuery } from '@service/trpc';
import { id } from '@service/trpc/fields';
import { z } from 'zod';
import { deleteWithBranches, listGraphProblems, makeEntry, orderBranches } from './edit-graph.ts';
import { branchesMax } from './segment-fields.ts';
import { SegmentInput } from './inputs.ts';
import { BranchOutput, branchToOutput, SegmentOutput, segmentToOutput } from './segment-outputs.ts';

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

/** Procedures of the dashboard's editor. API clients have one call for each segment and branch. */
export const editingProcedures = {
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
};
