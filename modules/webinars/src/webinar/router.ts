import { dataOf, pageOf, router, scopedMutation, scopedQuery } from '@service/trpc';
import { createWebinar } from './create-webinar.ts';
import { findWebinar } from './find-webinar.ts';
import { listWebinars } from './list-webinars.ts';
import { publishWebinar } from './publish-webinar.ts';
import { CreateWebinarInput, ListWebinarsInput, WebinarInput, WebinarOutput } from './schemas.ts';
import { nextSessions } from '../session/sessions.ts';
import { webinarToOutput } from './to-output.ts';

const tag = 'Webinars';

export const webinarsRouter = router({
  list: scopedQuery({
    scope: 'webinars:read',
    rest: 'GET /webinars',
    tool: 'list_webinars',
    summary: 'List webinars',
    description: 'Newest first. Archived webinars are left out.',
    tag,
  })
    .input(ListWebinarsInput)
    .output(pageOf(WebinarOutput))
    .query(({ ctx: { reader }, input }) => listWebinars(reader, input)),

  get: scopedQuery({
    scope: 'webinars:read',
    rest: 'GET /webinars/{webinarId}',
    tool: 'get_webinar',
    summary: 'Get a webinar',
    tag,
  })
    .input(WebinarInput)
    .output(dataOf(WebinarOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const webinar = await findWebinar(reader, input.webinarId);
      const sessions = await nextSessions(reader, [webinar.id]);
      return { data: webinarToOutput(webinar, sessions.get(webinar.id)) };
    }),

  create: scopedMutation({
    scope: 'webinars:write',
    rest: 'POST /webinars',
    tool: 'create_webinar',
    summary: 'Create a webinar',
    description: 'Makes a draft with one scheduled session. Publish it to open registration.',
    tag,
    status: 201,
  })
    .input(CreateWebinarInput)
    .output(dataOf(WebinarOutput))
    .mutation(async ({ ctx, input }) => {
      const { webinar, session } = await ctx.transaction((tx) => createWebinar(tx, input));
      ctx.reply.location = `/webinars/${webinar.id}`;
      return { data: webinarToOutput(webinar, session) };
    }),

  publish: scopedMutation({
    scope: 'webinars:write',
    rest: 'POST /webinars/{webinarId}/publish',
    tool: 'publish_webinar',
    summary: 'Publish a webinar',
    description: 'Opens it for registration. Publishing a published webinar changes nothing.',
    tag,
  })
    .input(WebinarInput)
    .output(dataOf(WebinarOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        const webinar = await publishWebinar(tx, input.webinarId);
        const sessions = await nextSessions(tx, [webinar.id]);
        return { data: webinarToOutput(webinar, sessions.get(webinar.id)) };
      }),
    ),
});
