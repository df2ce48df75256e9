import {
  dataOf,
  ErrorIssue,
  memberMutation,
  memberQuery,
  pageOf,
  router,
  scopedMutation,
  scopedQuery,
} from '@service/trpc';
import type { AccountReader } from '@service/database';
import { z } from 'zod';
import type { Webinar } from '../entities/webinar.ts';
import type { SessionObservers } from '../session/change-session.ts';
import { nextSessions } from '../session/find-sessions.ts';
import { findWebinar, lockWebinar } from '../webinar/find-webinar.ts';
import {
  archiveWebinar,
  checkPublishing,
  createWebinar,
  deleteWebinar,
  duplicateWebinar,
  publishWebinar,
  restoreWebinar,
  unpublishWebinar,
  updateWebinar,
  type WindowSubscriber,
} from './webinars.ts';
import { findWebinars, listArchivedWebinars, listWebinars } from './list-webinars.ts';
import {
  CreateWebinarInput,
  DuplicateWebinarInput,
  FindWebinarsInput,
  FoundWebinarOutput,
  ListArchivedWebinarsInput,
  ListWebinarsInput,
  UpdateWebinarInput,
  WebinarInput,
  WebinarOutput,
  webinarToOutput,
} from './schemas.ts';

const tag = 'Webinars';

interface RouterParts extends SessionObservers {
  windowSubscriber: WindowSubscriber;
}

export const createWebinarsRouter = ({ windowSubscriber: windows, ...observers }: RouterParts) =>
  router({
    list: scopedQuery({
      scope: 'webinars:read',
      rest: 'GET /webinars',
      tool: 'list_webinars',
      summary: 'List webinars',
      description:
        'Newest first, or by title from A to Z with `sort=title`. `order` reverses either. Archived and deleted webinars are not included.',
      tag,
    })
      .input(ListWebinarsInput)
      .output(pageOf(WebinarOutput))
      .query(({ ctx: { reader }, input }) => listWebinars(reader, input)),

    /** Archived webinars, which only members see. */
    listArchived: memberQuery()
      .input(ListArchivedWebinarsInput)
      .output(pageOf(WebinarOutput))
      .query(({ ctx: { reader }, input }) => listArchivedWebinars(reader, input)),

    /** For the search of the dashboard and for its filters. */
    find: memberQuery()
      .input(FindWebinarsInput)
      .output(dataOf(z.array(FoundWebinarOutput)))
      .query(async ({ ctx: { reader }, input }) => ({ data: await findWebinars(reader, input) })),

    get: scopedQuery({
      scope: 'webinars:read',
      rest: 'GET /webinars/{webinarId}',
      tool: 'get_webinar',
      summary: 'Get a webinar',
      tag,
    })
      .input(WebinarInput)
      .output(dataOf(WebinarOutput))
      .query(async ({ ctx: { reader }, input }) =>
        withNextSession(reader, await findWebinar(reader, input.webinarId)),
      ),

    create: scopedMutation({
      scope: 'webinars:write',
      rest: 'POST /webinars',
      tool: 'create_webinar',
      summary: 'Create a webinar',
      description: 'Creates a draft. Publish it to create its sessions and open registration.',
      tag,
      status: 201,
    })
      .input(CreateWebinarInput)
      .output(dataOf(WebinarOutput))
      .mutation(async ({ ctx, input }) => {
        const webinar = await ctx.transaction((tx) => createWebinar(tx, input));
        ctx.reply.location = `/webinars/${webinar.id}`;
        return { data: webinarToOutput(webinar, undefined) };
      }),

    update: scopedMutation({
      scope: 'webinars:write',
      rest: 'PATCH /webinars/{webinarId}',
      tool: 'update_webinar',
      summary: 'Update a webinar',
      description:
        'Changes only the fields in the body. An object replaces the stored object, and fields omitted from it are reset to ' +
        'their defaults. Future sessions of a published webinar follow its schedule, time zone and duration, except sessions ' +
        'with registrations. A published webinar can become adaptive only if its segments can be published.',
      tag,
    })
      .input(UpdateWebinarInput)
      .output(dataOf(WebinarOutput))
      .mutation(({ ctx, input }) =>
        ctx.edit({
          record: WebinarOutput,
          lock: async (tx) => (await withNextSession(tx, await lockWebinar(tx, input.webinarId))).data,
          change: async (tx) => withNameAndSession(ctx, tx, await updateWebinar(tx, input, windows)),
        }),
      ),

    delete: scopedMutation({
      scope: 'webinars:write',
      rest: 'DELETE /webinars/{webinarId}',
      tool: 'delete_webinar',
      summary: 'Delete a webinar',
      description:
        'Deletes the webinar and everything in it. This cannot be undone. Sessions that have not ended are cancelled, and their ' +
        'attendees get the mail about a cancelled session if it is switched on. Deliveries and mails of its rules and subscriptions ' +
        'that are waiting are cancelled.',
      tag,
      status: 204,
    })
      .input(WebinarInput)
      .output(z.void())
      .mutation(async ({ ctx, input }) => {
        const isMember = ctx.principal.kind === 'member';
        const { title } = await ctx.transaction((tx) => deleteWebinar(tx, { ...input, isMember }, observers));
        ctx.setSubject(title);
      }),

    duplicate: scopedMutation({
      scope: 'webinars:write',
      rest: 'POST /webinars/{webinarId}/duplicate',
      tool: 'duplicate_webinar',
      summary: 'Duplicate a webinar',
      description:
        'Creates a draft with the same settings, schedule, segments and interactions. Sessions and registrations are not copied.',
      tag,
      status: 201,
    })
      .input(DuplicateWebinarInput)
      .output(dataOf(WebinarOutput))
      .mutation(async ({ ctx, input }) => {
        const webinar = await ctx.transaction((tx) => duplicateWebinar(tx, input));
        ctx.reply.location = `/webinars/${webinar.id}`;
        return { data: webinarToOutput(webinar, undefined) };
      }),

    publish: scopedMutation({
      scope: 'webinars:write',
      rest: 'POST /webinars/{webinarId}/publish',
      tool: 'publish_webinar',
      summary: 'Publish a webinar',
      description:
        'Opens the webinar for registration and creates its sessions of the next 60 days. The schedule must offer a session: a ' +
        'future recurrence, just-in-time sessions or on-demand viewing. An adaptive webinar needs one entry segment, one default ' +
        'branch from each segment that is not terminal, and a path from the entry to every segment. A video is not required. ' +
        'Publishing a published webinar changes nothing.',
      tag,
    })
      .input(WebinarInput)
      .output(dataOf(WebinarOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => withNameAndSession(ctx, tx, await publishWebinar(tx, input.webinarId))),
      ),

    /** For the list of a draft in the dashboard. */
    publishCheck: memberQuery()
      .input(WebinarInput)
      .output(dataOf(z.array(ErrorIssue)))
      .query(async ({ ctx: { reader }, input }) => ({
        data: await checkPublishing(reader, input.webinarId),
      })),

    unpublish: scopedMutation({
      scope: 'webinars:write',
      rest: 'POST /webinars/{webinarId}/unpublish',
      tool: 'unpublish_webinar',
      summary: 'Unpublish a webinar',
      description:
        'Turns the webinar into a draft again. Refused while a session that has not ended has registrations. Unpublishing a ' +
        'draft changes nothing.',
      tag,
    })
      .input(WebinarInput)
      .output(dataOf(WebinarOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) =>
          withNameAndSession(ctx, tx, await unpublishWebinar(tx, input.webinarId)),
        ),
      ),

    archive: scopedMutation({
      scope: 'webinars:write',
      rest: 'POST /webinars/{webinarId}/archive',
      tool: 'archive_webinar',
      summary: 'Archive a webinar',
      description:
        'Closes the webinar and its room. From then on the API answers 404 for it and everything in it, until a member restores it ' +
        'as a draft in the dashboard. Sessions that have not ' +
        'ended are cancelled, and their attendees get the mail about a cancelled session if it is switched on. No event or timer ' +
        'fires an automation. Deliveries that are waiting are still sent.',
      tag,
    })
      .input(WebinarInput)
      .output(dataOf(WebinarOutput))
      .mutation(async ({ ctx, input }) => {
        const webinar = await ctx.transaction((tx) => archiveWebinar(tx, input.webinarId, observers));
        ctx.setSubject(webinar.title);
        return { data: webinarToOutput(webinar, undefined) };
      }),

    restore: memberMutation()
      .input(WebinarInput)
      .output(dataOf(WebinarOutput))
      .mutation(({ ctx, input }) =>
        ctx.transaction(async (tx) => withNameAndSession(ctx, tx, await restoreWebinar(tx, input.webinarId))),
      ),
  });

async function withNextSession(reader: AccountReader, webinar: Webinar) {
  const sessions = await nextSessions(reader, [webinar.id]);
  return { data: webinarToOutput(webinar, sessions.get(webinar.id)) };
}

/** Names the webinar in the audit log, too. */
function withNameAndSession(
  ctx: { setSubject: (name: string) => void },
  reader: AccountReader,
  webinar: Webinar,
) {
  ctx.setSubject(webinar.title);
  return withNextSession(reader, webinar);
}
