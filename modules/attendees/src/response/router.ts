import { dataOf, pageOf, router, scopedQuery, toolQuery } from '@service/trpc';
import { z } from 'zod';
import { interactionStats, listMessages, listResponses } from './responses.ts';
import { countResponses, listRespondents } from './overview.ts';
import {
  ChatMessageOutput,
  InteractionInput,
  ListMessagesInput,
  ListResponsesInput,
  RespondentOutput,
  ResponseCountsOutput,
  ResponseOutput,
  StatsOutput,
} from './schemas.ts';

const tag = 'Interactions';
const path = '/webinars/{webinarId}/interactions';

/** Responses to interactions. The routes of the interactions themselves are in webinars. */
export const responsesRouter = router({
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
    .query(async ({ ctx: { reader }, input }) => ({ data: await interactionStats(reader, input) })),

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
    description: 'The messages of attendees, newest first.',
    tag: 'Sessions',
  })
    .input(ListMessagesInput)
    .output(pageOf(ChatMessageOutput))
    .query(({ ctx: { reader }, input }) => listMessages(reader, input)),

  counts: toolQuery({ scope: 'interactions:read' })
    .input(InteractionInput.pick({ webinarId: true }))
    .output(dataOf(z.array(ResponseCountsOutput)))
    .query(async ({ ctx: { reader }, input }) => ({ data: await countResponses(reader, input.webinarId) })),

  listRespondents: toolQuery({ scope: 'interactions:read', alsoScopes: ['registrations:read'] })
    .input(ListResponsesInput)
    .output(pageOf(RespondentOutput))
    .query(({ ctx: { reader }, input }) => listRespondents(reader, input)),
});
