import { dataOf, pageOf, router, scopedMutation, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import type { InteractionType } from '../entities/enums.ts';
import {
  createInteraction,
  deleteInteraction,
  findInteraction,
  lockInteraction,
  updateInteraction,
} from './interactions.ts';
import {
  createInputs,
  InteractionInput,
  interactionToOutput,
  ListByTypeInput,
  outputs,
  updateInputs,
} from './schemas.ts';
import { listInteractions } from './load-interactions.ts';

interface TypeNames {
  /** The last part of the route, such as `offers`. */
  path: string;
  /** Singular with its article, such as `an offer`. */
  one: string;
  /** Plural, such as `offers`. */
  many: string;
}

const tag = 'Interactions';

/** The routes of one type of interaction. The records are the same as under /interactions. */
export const createTypeRouter = (type: InteractionType, { path, one, many }: TypeNames) => {
  const base = `/webinars/{webinarId}/${path}` as const;
  const Output = outputs[type];
  return router({
    list: scopedQuery({
      scope: 'interactions:read',
      rest: `GET ${base}`,
      tool: `list_${path}`,
      summary: `List ${many}`,
      description: 'Newest first.',
      tag,
    })
      .input(ListByTypeInput)
      .output(pageOf(Output))
      .query(({ ctx: { reader }, input }) => listInteractions(reader, { ...input, type })),

    create: scopedMutation({
      scope: 'interactions:write',
      rest: `POST ${base}`,
      tool: `create_${type}`,
      summary: `Create ${one}`,
      tag,
      status: 201,
    })
      .input(createInputs[type])
      .output(dataOf(Output))
      .mutation(async ({ ctx, input }) => {
        const interaction = await ctx.transaction((tx) => createInteraction(tx, type, input));
        ctx.reply.location = `/webinars/${interaction.webinarId}/${path}/${interaction.id}`;
        return { data: interactionToOutput(interaction) };
      }),

    get: scopedQuery({
      scope: 'interactions:read',
      rest: `GET ${base}/{interactionId}`,
      tool: `get_${type}`,
      summary: `Get ${one}`,
      tag,
    })
      .input(InteractionInput)
      .output(dataOf(Output))
      .query(async ({ ctx: { reader }, input }) => ({
        data: interactionToOutput(await findInteraction(reader, { ...input, type })),
      })),

    update: scopedMutation({
      scope: 'interactions:write',
      rest: `PATCH ${base}/{interactionId}`,
      tool: `update_${type}`,
      summary: `Update ${one}`,
      description: 'Omitted fields stay unchanged. Lists are replaced as a whole.',
      tag,
    })
      .input(updateInputs[type])
      .output(dataOf(Output))
      .mutation(({ ctx, input: { webinarId, interactionId, ...changes } }) =>
        ctx.edit({
          record: Output,
          lock: async (tx) =>
            interactionToOutput(await lockInteraction(tx, { webinarId, interactionId, type })),
          async change(tx) {
            const interaction = await updateInteraction(tx, { webinarId, interactionId, type }, changes);
            return { data: interactionToOutput(interaction) };
          },
        }),
      ),

    delete: scopedMutation({
      scope: 'interactions:write',
      rest: `DELETE ${base}/{interactionId}`,
      tool: `delete_${type}`,
      summary: `Delete ${one}`,
      tag,
      status: 204,
    })
      .input(InteractionInput)
      .output(z.void())
      .mutation(({ ctx, input }) => ctx.transaction((tx) => deleteInteraction(tx, { ...input, type }))),
  });
};
