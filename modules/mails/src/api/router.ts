import type { Connections } from '@service/connections';
import {
  dataOf,
  id,
  memberMutation,
  memberQuery,
  pageOf,
  router,
  scopedMutation,
  scopedQuery,
  type Principal,
} from '@service/trpc';
import type { AccountQueries } from '@service/database';
import { findWebinar } from '@service/webinars';
import { z } from 'zod';
import {
  changeSettings,
  settingsToOutput,
  UpdateWebinarMailsInput,
  WebinarMailsInput,
  WebinarMailsOutput,
} from '../content/webinar-mails.ts';
import { findSettings, lockSettings, storeSettings } from '../settings-store.ts';
import { addSuppression, listSuppressions, removeSuppression } from '../suppression/suppressions.ts';
import { admitTest } from './test-mails.ts';
import { readCounts } from '../queue/mail-counts.ts';
import type { Route } from '../send/route.ts';
import type { ReportLinks } from '../suppression/suppression-links.ts';
import { reportReaderOf } from '../suppression/report-door.ts';
import { listMails, sendAgain } from './mails.ts';
import { previewMail, sendTest, type PreviewParts } from './preview.ts';
import {
  AddSuppressionInput,
  ListMailsInput,
  ListSuppressionsInput,
  MailCounts,
  MailCountsInput,
  MailOutput,
  MailPreview,
  PreviewMailInput,
  RemoveSuppressionInput,
  SendMailInput,
  SuppressionOutput,
  TestMailInput,
  TestMailOutput,
} from './schemas.ts';

const tag = 'Mails';

export interface RouterParts extends PreviewParts {
  connections: PreviewParts['connections'] & Pick<Connections, 'findById' | 'senders'>;
  reportLinks: Pick<ReportLinks, 'urlOf'>;
  /** The limit of the waiting mails of an account. */
  mailBacklogMax: number;
  /** The e-mail address of a member. */
  readMemberAddress: (reader: AccountQueries, userId: string) => Promise<string | undefined>;
}

export const createMailsRouter = (parts: RouterParts) =>
  router({
    get: scopedQuery({
      scope: 'webinars:read',
      rest: 'GET /webinars/{webinarId}/mails',
      operationId: 'getWebinarMails',
      summary: 'Get the mails of a webinar',
      description:
        'The settings of the mails that attendees get, with the variables that their texts may contain.',
      tag,
    })
      .input(WebinarMailsInput)
      .output(dataOf(WebinarMailsOutput))
      .query(async ({ ctx: { reader }, input: { webinarId } }) => {
        await findWebinar(reader, webinarId);
        return { data: settingsToOutput(await findSettings(reader, webinarId)) };
      }),

    update: scopedMutation({
      scope: 'webinars:write',
      rest: 'PATCH /webinars/{webinarId}/mails',
      operationId: 'updateWebinarMails',
      summary: 'Update the mails of a webinar',
      description:
        'Changes only the fields in the body. `reminders` replaces all reminders. Waiting mails follow at once: their texts are ' +
        'made when they are sent.',
      tag,
    })
      .input(UpdateWebinarMailsInput)
      .output(dataOf(WebinarMailsOutput))
      .mutation(({ ctx, input: { webinarId, ...change } }) =>
        ctx.edit({
          record: WebinarMailsOutput,
          lock: async (tx) => {
            await findWebinar(tx, webinarId);
            return settingsToOutput(await lockSettings(tx, webinarId));
          },
          change: async (tx) => {
            await findWebinar(tx, webinarId);
            const settings = changeSettings(await lockSettings(tx, webinarId), change);
            await storeSettings(tx, webinarId, { settings, updatedBy: nameOf(ctx.principal) });
            return { data: settingsToOutput(settings) };
          },
        }),
      ),

    ofRegistration: scopedQuery({
      scope: 'registrations:read',
      rest: 'GET /webinars/{webinarId}/registrations/{registrationId}/mails',
      tool: 'list_registration_mails',
      summary: 'List the mails of a registration',
      description: 'Newest first. Texts of mails are not stored.',
      tag,
    })
      .input(ListMailsInput)
      .output(pageOf(MailOutput))
      .query(({ ctx: { reader }, input }) => listMails(reader, input)),

    send: scopedMutation({
      scope: 'registrations:write',
      rest: 'POST /webinars/{webinarId}/registrations/{registrationId}/mails/{mailKind}/send',
      operationId: 'sendRegistrationMail',
      summary: 'Send a mail again',
      description:
        'Queues a mail for one person, with the present times and link. At most five of a kind each day beside the first.',
      tag,
      status: 202,
    })
      .input(SendMailInput)
      .output(dataOf(MailOutput))
      .mutation(async ({ ctx, input }) => ({
        data: await ctx.transaction((tx) => sendAgain(tx, input, parts.mailBacklogMax)),
      })),

    /** Writes nothing. A mutation, because a draft is too long for an address. */
    preview: memberMutation({ whileSuspended: true })
      .input(PreviewMailInput)
      .output(dataOf(MailPreview))
      .mutation(async ({ ctx: { database, principal, now }, input }) => {
        const { accountId } = principal;
        const reader = { em: database.fork(), query: database.query, accountId, now };
        return { data: await previewMail(reader, input, parts) };
      }),

    /** Sends to the member who calls, after the transaction that counts the test. */
    sendTest: memberMutation()
      .input(TestMailInput)
      .output(dataOf(TestMailOutput))
      .mutation(async ({ ctx: { database, principal, transaction }, input }) => {
        const reader = { query: database.query, accountId: principal.accountId };
        const userId = nameOf(principal);
        const to = await parts.readMemberAddress(reader, userId);
        const admit = (sender: Route['sender']): Promise<void> =>
          transaction((tx) => admitTest(tx, userId, sender));
        return { data: await sendTest(reader, input, { ...parts, to: to!, admit }) };
      }),

    /** The address at which the provider of a connection reports bounces. Null: the provider sends no reports. */
    reportUrl: memberQuery()
      .input(z.strictObject({ connectionId: id('connection') }))
      .output(dataOf(z.object({ url: z.url().nullable() })))
      .query(async ({ ctx: { reader }, input: { connectionId } }) => {
        const { accountId } = reader;
        const connection = await parts.connections.findById(reader, connectionId);
        const hasReports = connection && reportReaderOf(parts.connections, connection.provider) !== undefined;
        return { data: { url: hasReports ? parts.reportLinks.urlOf({ accountId, connectionId }) : null } };
      }),

    counts: memberQuery()
      .input(MailCountsInput)
      .output(dataOf(MailCounts))
      .query(async ({ ctx: { reader }, input: { days } }) => ({
        data: {
          ...(await readCounts(reader, { now: reader.now, days })),
          waitingMax: parts.mailBacklogMax,
        },
      })),
  });

export const suppressionsRouter = router({
  list: memberQuery()
    .input(ListSuppressionsInput)
    .output(dataOf(z.array(SuppressionOutput)))
    .query(async ({ ctx: { reader }, input }) => ({ data: await listSuppressions(reader, input) })),

  add: memberMutation()
    .input(AddSuppressionInput)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.transaction((tx) => addSuppression(tx, input, nameOf(ctx.principal)))),

  remove: memberMutation()
    .input(RemoveSuppressionInput)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.transaction((tx) => removeSuppression(tx, input))),
});

/** The id of a member, or of the key or grant of a client. */
const nameOf = (principal: Principal): string =>
  principal.kind === 'member' ? principal.userId : principal.credentialId;
