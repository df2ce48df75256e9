import { dataOf, pageOf, router, scopedMutation, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import { createBranch, deleteBranch, findBranch, lockBranch, updateBranch } from './branches.ts';
import {
  BranchInput,
  BranchOutput,
  branchToOutput,
  CreateBranchInput,
  ListInput,
  UpdateBranchInput,
} from './schemas.ts';
import { listBranches } from './list-segments.ts';

const tag = 'Segments';
const path = '/webinars/{webinarId}/branches';

const staysSound =
  'A change that would leave viewers of a published webinar without a valid path is refused with `webinar_not_publishable`.';

export const branchesRouter = router({
  list: scopedQuery({
    scope: 'webinars:read',
    rest: `GET ${path}`,
    tool: 'list_branches',
    summary: 'List branches',
    description: 'Branches between the segments of an adaptive webinar, newest first.',
    tag,
  })
    .input(ListInput)
    .output(pageOf(BranchOutput))
    .query(({ ctx: { reader }, input }) => listBranches(reader, input)),

  create: scopedMutation({
    scope: 'webinars:write',
    rest: `POST ${path}`,
    tool: 'create_branch',
    summary: 'Create a branch',
    description: `Only for adaptive webinars, at most 200 branches. ${staysSound}`,
    tag,
    status: 201,
  })
    .input(CreateBranchInput)
    .output(dataOf(BranchOutput))
    .mutation(async ({ ctx, input }) => {
      const branch = await ctx.transaction((tx) => createBranch(tx, input));
      ctx.reply.location = `/webinars/${branch.webinarId}/branches/${branch.id}`;
      return { data: branchToOutput(branch) };
    }),

  get: scopedQuery({
    scope: 'webinars:read',
    rest: `GET ${path}/{branchId}`,
    tool: 'get_branch',
    summary: 'Get a branch',
    tag,
  })
    .input(BranchInput)
    .output(dataOf(BranchOutput))
    .query(async ({ ctx: { reader }, input }) => ({ data: branchToOutput(await findBranch(reader, input)) })),

  update: scopedMutation({
    scope: 'webinars:write',
    rest: `PATCH ${path}/{branchId}`,
    tool: 'update_branch',
    summary: 'Update a branch',
    description: `Omitted fields stay unchanged. Conditions are replaced as a whole. ${staysSound}`,
    tag,
  })
    .input(UpdateBranchInput)
    .output(dataOf(BranchOutput))
    .mutation(({ ctx, input: { webinarId, branchId, ...changes } }) =>
      ctx.edit({
        record: BranchOutput,
        lock: async (tx) => branchToOutput((await lockBranch(tx, { webinarId, branchId })).branch),
        async change(tx) {
          const branch = await updateBranch(tx, { webinarId, branchId }, changes);
          return { data: branchToOutput(branch) };
        },
      }),
    ),

  delete: scopedMutation({
    scope: 'webinars:write',
    rest: `DELETE ${path}/{branchId}`,
    tool: 'delete_branch',
    summary: 'Delete a branch',
    description: staysSound,
    tag,
    status: 204,
  })
    .input(BranchInput)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.transaction((tx) => deleteBranch(tx, input))),
});
