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
  CreateInteractionInput,
  InteractionInput,
  InteractionOutput,
  interactionToOutput,
  ListByTypeInput,
  ListInteractionsInput,
  outputs,
  updateInputs,
  UpdateInteractionInput,
} from './schemas.ts';
import { listInteractions } from './load-interactions.ts';

const tag = 'Interactions';
const path = '/webinars/{webinarId}/interactions';

/** Routes for all types of interaction, and one router for each type. */
export const interactionsRouter = router({
  list: scopedQuery({
    scope: 'interactions:read',
    rest: `GET ${path}`,
    tool: 'list_interactions',
    summary: 'List interactions',
    description: 'Offers, CTAs, polls and handouts of a webinar, newest first.',
    tag,
  })
    .input(ListInteractionsInput)
    .output(pageOf(InteractionOutput))
    .query(({ ctx: { reader }, input }) => listInteractions(reader, input)),

  create: scopedMutation({
    scope: 'interactions:write',
    rest: `POST ${path}`,
    tool: 'create_interaction',
    summary: 'Create an interaction',
    description:
      'An offer or CTA also needs `url` and `buttonLabel`, a poll needs `options`, a handout needs `url` and `fileName`. ' +
      'Fields of other types are refused.',
    tag,
    status: 201,
  })
    .input(CreateInteractionInput)
    .output(dataOf(InteractionOutput))
    .mutation(async ({ ctx, input: { type, ...fields } }) => {
      const interaction = await ctx.transaction((tx) => createInteraction(tx, type, fields));
      ctx.reply.location = `/webinars/${interaction.webinarId}/interactions/${interaction.id}`;
      return { data: interactionToOutput(interaction) };
    }),

  get: scopedQuery({
    scope: 'interactions:read',
    rest: `GET ${path}/{interactionId}`,
    tool: 'get_interaction',
    summary: 'Get an interaction',
    tag,
  })
    .input(InteractionInput)
    .output(dataOf(InteractionOutput))
    .query(async ({ ctx: { reader }, input }) => ({
      data: interactionToOutput(await findInteraction(reader, input)),
    })),

  update: scopedMutation({
    scope: 'interactions:write',
    rest: `PATCH ${path}/{interactionId}`,
    tool: 'update_interaction',
    summary: 'Update an interaction',
    description: 'Omitted fields stay unchanged. Lists are replaced as a whole. The type cannot be changed.',
    tag,
  })
    .input(UpdateInteractionInput)
    .output(dataOf(InteractionOutput))
    .mutation(({ ctx, input: { webinarId, interactionId, ...changes } }) =>
      ctx.edit({
        record: InteractionOutput,
        lock: async (tx) => interactionToOutput(await lockInteraction(tx, { webinarId, interactionId })),
        async change(tx) {
          const interaction = await updateInteraction(tx, { webinarId, interactionId }, changes);
          return { data: interactionToOutput(interaction) };
        },
      }),
    ),

  delete: scopedMutation({
    scope: 'interactions:write',
    rest: `DELETE ${path}/{interactionId}`,
    tool: 'delete_interaction',
    summary: 'Delete an interaction',
    tag,
    status: 204,
  })
    .input(InteractionInput)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.transaction((tx) => deleteInteraction(tx, input))),

  offers: createTypeRouter('offer', 'an offer', 'offers'),
  ctas: createTypeRouter('cta', 'a CTA', 'CTAs'),
  polls: createTypeRouter('poll', 'a poll', 'polls'),
  handouts: createTypeRouter('handout', 'a handout', 'handouts'),
});

/** The routes of one type of interaction, such as `an offer`, `offers`. The records are the same as under /interactions. */
function createTypeRouter(type: InteractionType, one: string, many: string) {
  const name = many.toLowerCase();
  const base = `/webinars/{webinarId}/${name}` as const;
  const Output = outputs[type];
  return router({
    list: scopedQuery({
      scope: 'interactions:read',
      rest: `GET ${base}`,
      tool: `list_${name}`,
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
        ctx.reply.location = `/webinars/${interaction.webinarId}/${name}/${interaction.id}`;
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
}
