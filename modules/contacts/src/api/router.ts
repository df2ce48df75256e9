import type { FilterQuery } from '@mikro-orm/postgresql';
import { attendeeErrors, findRegistrants } from '@service/attendees';
import type { Connections } from '@service/connections';
import {
  createId,
  idTime,
  statement,
  column,
  type AccountQueries,
  type AccountReader,
} from '@service/database';
import {
  cursorId,
  dataOf,
  mayRead,
  memberMutation,
  memberQuery,
  pageOf,
  router,
  scopedMutation,
  scopedQuery,
  toPage,
  type Principal,
} from '@service/trpc';
import { findWebinar } from '@service/webinars';
import { z } from 'zod';
import { queueChanges } from '../change/queue-changes.ts';
import { Send, type Run } from '../entities.ts';
import { contactErrors } from '../errors.ts';
import { cancelRun, countWaiting, listRuns, requireConnection, startRun } from '../runs/runs.ts';
import { previewSync, type PreviewParts } from './preview.ts';
import {
  CancelRunInput,
  ConnectionRunsInput,
  ContactRunOutput,
  ContactSendOutput,
  ListSendsInput,
  ListSendsOfRegistrationInput,
  PreviewedPerson,
  PreviewInput,
  SendNowInput,
} from './schemas.ts';

const tag = 'Connections';

export interface ContactsRouterParts extends Omit<PreviewParts, 'marketing'> {
  connections: Pick<Connections, 'marketing'>;
}

/** The history of sends to marketing tools, the preview of the requests that keep people in step, and sending one or all of them. */
export const createContactsRouter = ({ connections: { marketing }, ...parts }: ContactsRouterParts) =>
  router({
    listSends: scopedQuery({
      mayBeLate: true,
      scope: 'connections:read',
      rest: 'GET /connections/{connectionId}/sends',
      operationId: 'listConnectionSends',
      summary: 'List what was sent to a marketing tool',
      description: 'One entry for each attempt to send the changes of a contact, newest first.',
      tag,
    })
      .input(ListSendsInput)
      .output(pageOf(ContactSendOutput))
      .query(async ({ ctx: { reader, principal }, input }) => {
        await requireConnection(reader, marketing, input.connectionId);
        const { limit, cursor, ...filters } = input;
        const { connectionId, registrationId, outcome } = filters;
        const where = {
          connectionId,
          ...(registrationId !== undefined && { registrationId }),
          ...(outcome !== undefined && { outcome }),
        };
        return listSends(reader, principal, { limit, cursor, filters, where });
      }),

    /** The sends to all tools about the person of a registration, also those for their other registrations. Newest first. */
    ofRegistration: memberQuery()
      .input(ListSendsOfRegistrationInput)
      .output(pageOf(ContactSendOutput))
      .query(async ({ ctx: { reader, principal }, input: { limit, cursor, ...filters } }) => {
        const { executionId } = filters;
        const where = {
          contact: await findContact(reader, filters),
          ...(executionId !== undefined && { causes: { $contains: [executionId] } }),
        };
        return listSends(reader, principal, { limit, cursor, filters, where });
      }),

    /** Writes nothing. A mutation, because the settings are too long for an address. */
    preview: memberMutation({ whileSuspended: true })
      .input(PreviewInput)
      .output(dataOf(z.array(PreviewedPerson)))
      .mutation(async ({ ctx: { database, principal }, input }) => ({
        data: await previewSync({ query: database.query, accountId: principal.accountId }, input, {
          marketing,
          ...parts,
        }),
      })),

    /** Sends the person of a registration soon. The send is found in the history by `causeId`. */
    sendNow: memberMutation()
      .input(SendNowInput)
      .output(dataOf(z.object({ causeId: z.uuid() })))
      .mutation(async ({ ctx, input: { connectionId, registrationId } }) => {
        const causeId = createId();
        await ctx.transaction(async (tx) => {
          const connection = await requireConnection(tx, marketing, connectionId);
          if (!connection.settings.sync.enabled) throw contactErrors.nothing_in_step();
          const [person] = await findRegistrants(tx, [registrationId]);
          if (!person) throw attendeeErrors.registration_not_found();
          queueChanges(tx, [
            { connectionId, email: person.email, registrationId, inStep: true, causes: [causeId] },
          ]);
        });
        return { data: { causeId } };
      }),

    startRun: scopedMutation({
      scope: 'connections:write',
      rest: 'POST /connections/{connectionId}/runs',
      operationId: 'startConnectionRun',
      summary: 'Send everyone again',
      description:
        'Sends the values and tags of every registrant to the marketing tool again, beside the usual changes and without starting old ' +
        'automations where the tool allows it. A connection has one run at a time.',
      tag,
      status: 201,
    })
      .input(ConnectionRunsInput)
      .output(dataOf(ContactRunOutput))
      .mutation(async ({ ctx, input: { connectionId } }) => {
        const run = await ctx.transaction((tx) => startRun(tx, marketing, connectionId));
        ctx.reply.location = `/api/v1/connections/${connectionId}/runs/${run.id}`;
        return { data: runToOutput(run, 0) };
      }),

    listRuns: scopedQuery({
      scope: 'connections:read',
      rest: 'GET /connections/{connectionId}/runs',
      operationId: 'listConnectionRuns',
      summary: 'List runs of a connection',
      description: 'The latest 25 runs, newest first.',
      tag,
    })
      .input(ConnectionRunsInput)
      .output(dataOf(z.array(ContactRunOutput)))
      .query(async ({ ctx: { reader }, input: { connectionId } }) => {
        await requireConnection(reader, marketing, connectionId);
        const runs = await listRuns(reader, connectionId);
        const waiting = await countWaiting(
          reader,
          connectionId,
          runs.map(({ id }) => id),
        );
        return { data: runs.map((run) => runToOutput(run, waiting.get(run.id) ?? 0)) };
      }),

    cancelRun: scopedMutation({
      scope: 'connections:write',
      rest: 'DELETE /connections/{connectionId}/runs/{runId}',
      operationId: 'cancelConnectionRun',
      summary: 'Cancel a run',
      description: 'People who were not begun are left out. Does nothing when the run has ended.',
      tag,
      status: 204,
    })
      .input(CancelRunInput)
      .output(z.void())
      .mutation(({ ctx, input }) => ctx.transaction((tx) => cancelRun(tx, input))),
  });

const runToOutput = (run: Run, waiting: number): z.input<typeof ContactRunOutput> => ({
  id: run.id,
  connectionId: run.connectionId,
  status: run.status,
  total: run.total,
  sent: Math.max(0, run.queued - run.leftOut - waiting),
  leftOut: run.leftOut,
  startedAt: run.startedAt.toISOString(),
  endedAt: run.endedAt?.toISOString() ?? null,
});

/** The contact that a registration is. Throws webinar_not_found, registration_not_found. */
async function findContact(
  reader: AccountReader,
  { webinarId, registrationId }: { webinarId: string; registrationId: string },
): Promise<string> {
  await findWebinar(reader, webinarId);
  const [found] = await findRegistrants(reader, [registrationId]);
  if (found?.webinarId !== webinarId) throw attendeeErrors.registration_not_found();
  return found.email;
}

interface SendsQuery {
  limit: number;
  cursor: string | undefined;
  /** As the caller gave them. */
  filters: Record<string, string | undefined>;
  where: FilterQuery<Send>;
}

async function listSends(
  reader: AccountReader,
  principal: Principal,
  { limit, cursor, filters, where }: SendsQuery,
) {
  const { em, accountId } = reader;
  const scope = { list: 'connection_sends', accountId, filters };
  const before = cursorId(cursor, scope);
  const sends = await em.find(
    Send,
    { $and: [{ accountId, ...(before !== undefined && { id: { $lt: before } }) }, where] },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  const readsPeople = mayRead(principal, 'registrations:read');
  const values =
    readsPeople && mayRead(principal, 'revenue:read') ? await readValues(reader, sends) : new Map();
  return toPage(sends, {
    limit,
    scope,
    toItem: (send): z.input<typeof ContactSendOutput> => ({
      id: send.id,
      connectionId: send.connectionId,
      registrationId: send.registrationId ?? null,
      contact: readsPeople ? send.contact : null,
      at: idTime(send.id).toISOString(),
      outcome: send.outcome,
      // Tools may name the person.
      reason: readsPeople ? (send.reason ?? null) : null,
      calls: [...send.calls],
      status: send.status ?? null,
      durationMs: send.durationMs,
      fields: [...send.fields],
      bodyHash: send.bodyHash ?? null,
      values: values.get(send.id) ?? null,
      causes: [...send.causes],
    }),
  });
}

// $3 is the lowest of the ids: there are no values in partitions before it.
const selectValues = statement({
  name: 'contacts.select_send_values',
  text: `select id, sent from contacts.send_values where account_id = $1 and id = any($2::uuid[]) and id >= $3::uuid`,
  row: { id: column.id, sent: column.json<Record<string, unknown>>() },
});

async function readValues(
  { query, accountId }: AccountQueries,
  sends: readonly Pick<Send, 'id'>[],
): Promise<Map<string, Record<string, unknown>>> {
  const ids = sends.map(({ id }) => id).toSorted();
  if (ids.length === 0) return new Map();
  const rows = await query(selectValues, [accountId, ids, ids[0]]);
  return new Map(rows.map(({ id, sent }) => [id, sent]));
}
