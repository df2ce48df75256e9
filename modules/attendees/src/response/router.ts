import { commonErrors } from '@service/errors';
import {
  dataOf,
  memberMutation,
  pageOf,
  type Principal,
  router,
  scopedQuery,
  toolQuery,
} from '@service/trpc';
import { z } from 'zod';
import { hideMessage, listMessages, sendMessage } from './chat.ts';
import { countEachInteraction } from './count-responses.ts';
import { interactionStats, listRespondents, listResponses } from './responses.ts';
import {
  ChatMessageOutput,
  HideMessageInput,
  InteractionInput,
  ListMessagesInput,
  ListResponsesInput,
  RespondentOutput,
  ResponseCountsOutput,
  ResponseOutput,
  SendMessageInput,
  StatsOutput,
} from './schemas.ts';

const tag = 'Interactions';
const path = '/webinars/{webinarId}/interactions';

interface ResponsesOptions {
  /** Announces to open rooms that the feed of a session has changed. */
  announce: (accountId: string, sessionId: string) => void;
}

/** Responses to interactions, and the chat. The routes of the interactions themselves are in webinars. */
export const createResponsesRouter = ({ announce }: ResponsesOptions) =>
  router({
    list: scopedQuery({
      scope: 'interactions:read',
      rest: `GET ${path}/{interactionId}/responses`,
      tool: 'list_interaction_responses',
      summary: 'List the responses to an interaction',
      description: 'Answers to a poll, or clicks on an offer, CTA or handout. Newest first.',
      tag,
    })
      .input(ListResponsesInput)
      .output(pageOf(ResponseOutput))
      .query(({ ctx: { reader }, input }) => listResponses(reader, input)),

    stats: scopedQuery({
      scope: 'interactions:read',
      rest: `GET ${path}/{interactionId}/stats`,
      tool: 'get_interaction_stats',
      summary: 'Get the statistics of an interaction',
      tag,
    })
      .input(InteractionInput)
      .output(dataOf(StatsOutput))
      .query(async ({ ctx, input }) => ({ data: await interactionStats(ctx, input) })),

    listPollAnswers: scopedQuery({
      scope: 'interactions:read',
      rest: 'GET /webinars/{webinarId}/polls/{interactionId}/responses',
      tool: 'list_poll_responses',
      summary: 'List the answers to a poll',
      description: 'Newest first.',
      tag,
    })
      .input(ListResponsesInput)
      .output(pageOf(ResponseOutput))
      .query(({ ctx: { reader }, input }) => listResponses(reader, input, 'poll')),

    messages: scopedQuery({
      scope: 'registrations:read',
      rest: 'GET /webinars/{webinarId}/sessions/{sessionId}/messages',
      tool: 'list_chat_messages',
      summary: 'List the chat of a session',
      description: 'Newest first, with messages of the host and hidden ones.',
      tag: 'Sessions',
    })
      .input(ListMessagesInput)
      .output(pageOf(ChatMessageOutput))
      .query(({ ctx: { reader }, input }) => listMessages(reader, input)),

    /** Hides a message from attendees, or shows it again. Open pages follow at once. */
    hideMessage: memberMutation()
      .input(HideMessageInput)
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          await hideMessage(tx, input);
          tx.afterCommit(() => announce(tx.accountId, input.sessionId));
        }),
      ),

    /** A message of the host, with the name of the member. */
    sendMessage: memberMutation()
      .input(SendMessageInput)
      .output(dataOf(z.object({ id: z.uuid() })))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => {
          const data = await sendMessage(tx, input, nameOf(ctx.principal));
          tx.afterCommit(() => announce(tx.accountId, input.sessionId));
          return { data };
        }),
      ),

    counts: toolQuery({ scope: 'interactions:read' })
      .input(InteractionInput.pick({ webinarId: true }))
      .output(dataOf(z.array(ResponseCountsOutput)))
      .query(async ({ ctx, input }) => ({ data: await countEachInteraction(ctx, input.webinarId) })),

    listRespondents: toolQuery({ scope: 'interactions:read', alsoScopes: ['registrations:read'] })
      .input(ListResponsesInput)
      .output(pageOf(RespondentOutput))
      .query(({ ctx: { reader }, input }) => listRespondents(reader, input)),
  });

function nameOf(principal: Principal): string {
  if (principal.kind !== 'member') throw commonErrors.sign_in_required();
  return principal.name;
}
