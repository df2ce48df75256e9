import { accountWriter, observeDatabaseTime, type Transaction } from '@service/database';
import { readsMessages } from '@service/conditions';
import { createEvaluation } from '@service/conditions/budget';
import {
  type Graph,
  type Interaction,
  keysIn,
  loadGraphs,
  loadInteractions,
  loadSessions,
  loadWebinars,
} from '@service/webinars';
import { chatMessages } from '../event/past-events.ts';
import { type Attendance, attendanceRow } from '../entities/attendance.ts';
import { type Registration, registrationRow } from '../entities/registration.ts';
import type { EventInterest, EventSubscriber } from '../event/event-subscriber.ts';
import { addAttendances, lockAttendances, selectRegistrations } from './run-calls.sql.ts';
import type { AttendeeSnapshot, Holder, RoomCall } from './room-call.ts';

/** The rows for a batch of calls of one account. Attendance rows are locked until the end of the transaction. */
export interface AttendeeSnapshots {
  /** The time of all calls in the batch. */
  now: Date;
  /** Undefined for an attendee without a visit. */
  snapshotOf(call: RoomCall): AttendeeSnapshot | undefined;
  /** Undefined if there is no such registration. */
  holderOf(call: RoomCall): Holder | undefined;
  /** True if another transaction has locked the attendee's row or is inserting it. */
  isLocked(call: RoomCall): boolean;
  interestOf(webinarId: string): EventInterest;
}

/** CPU time for the branches of all viewers in a batch, because other accounts wait meanwhile. */
const branchesMs = 100;

/** Characters of messages read per viewer. A batch can have a hundred viewers. */
const messageCharactersMax = 10_000;

interface LoadOptions {
  accountId: string;
  subscriber: Pick<EventSubscriber, 'findInterest'>;
  now?: (() => Date) | undefined;
}

/** Loads the rows of a batch in two round trips, with one more for first visits and one more for adaptive webinars. */
export async function loadSnapshots(
  tx: Transaction,
  calls: readonly RoomCall[],
  { accountId, subscriber, now: givenNow }: LoadOptions,
): Promise<AttendeeSnapshots> {
  const { now, holders, found, locked } = await loadAttendances(tx, calls, { accountId, givenNow });
  const attendances = [...found.values()];
  const webinarIds = [...new Set(attendances.map(({ webinarId }) => webinarId))];
  const sessionIds = attendances.map(({ sessionId }) => sessionId);
  const first = calls.filter((call) => call.isFirst && found.has(call.token.registrationId));
  const [sessions, webinars, interactions, registrations, interests] = await Promise.all([
    loadSessions(tx.query, keysIn(accountId, sessionIds)),
    loadWebinars(tx.query, keysIn(accountId, webinarIds)),
    loadShownInteractions(tx, calls, { accountId, found }),
    loadRegistrations(
      tx,
      accountId,
      first.map(({ token }) => token.registrationId),
    ),
    Promise.all(
      webinarIds.map(async (id) => {
        const interest = await subscriber.findInterest(accountWriter(tx, { accountId, now }), id);
        return [id, interest] as const;
      }),
    ),
  ]);
  const interestById = new Map(interests);
  const adaptive = webinarIds.filter((id) => webinars.get(id)?.kind === 'adaptive');
  const paths = await loadPaths(tx, { accountId, adaptive, attendances, registrations, now });
  const evaluation = createEvaluation({ totalMs: branchesMs });

  const snapshots = new Map<string, AttendeeSnapshot>();
  for (const [key, attendance] of found) {
    const { minutes, percents } = interestById.get(attendance.webinarId)!;
    snapshots.set(key, {
      now,
      holder: holders.get(key)!,
      registration: registrations.get(attendance.registrationId),
      session: sessions.get(attendance.sessionId)!,
      webinar: webinars.get(attendance.webinarId)!,
      attendance,
      found: attendance,
      minutes,
      percents,
      graph: paths.graphs.get(attendance.webinarId),
      interactions: interactions.get(attendance.webinarId) ?? [],
      chatMessages: paths.said.get(attendance.registrationId) ?? [],
      evaluation,
    });
  }
  return {
    now,
    snapshotOf: ({ token }) => snapshots.get(token.registrationId),
    holderOf: ({ token }) => holders.get(token.registrationId),
    isLocked: ({ token }) => locked.has(token.registrationId),
    interestOf: (webinarId) => interestById.get(webinarId)!,
  };
}

/** Maps and sets by registration id. */
interface FoundAttendances {
  now: Date;
  holders: Map<string, Holder>;
  found: Map<string, Attendance>;
  locked: Set<string>;
}

async function loadAttendances(
  { query }: Transaction,
  calls: readonly RoomCall[],
  { accountId, givenNow }: { accountId: string; givenNow: LoadOptions['now'] },
): Promise<FoundAttendances> {
  const ids = [...new Set(calls.map(({ token }) => token.registrationId))];
  const askedAtMs = performance.now();
  const rows = await query(lockAttendances, [accountId, ids]);
  observeDatabaseTime(rows[0]!.at.getTime(), askedAtMs);
  const now = givenNow?.() ?? rows[0]!.at;
  const holders = new Map<string, Holder>();
  const found = new Map<string, Attendance>();
  for (const row of rows) {
    const { id, token_version: tokenVersion, status, registration_id: registrationId } = row;
    if (tokenVersion !== null && status !== null) holders.set(id, { accountId, id, tokenVersion, status });
    if (registrationId !== null)
      found.set(id, attendanceRow.toEntity({ ...row, registration_id: registrationId }));
  }
  const locked = new Set(rows.filter((row) => row.is_locked).map((row) => row.id));
  const absent = calls.filter(
    ({ isFirst, token: { registrationId: id, tokenVersion } }) =>
      isFirst && !found.has(id) && !locked.has(id) && isCurrent(holders.get(id), tokenVersion),
  );
  const absentIds = [...new Set(absent.map(({ token }) => token.registrationId))];
  const added = absentIds.length > 0 ? await query(addAttendances, [accountId, absentIds, now]) : [];
  for (const row of added) found.set(row.registration_id, attendanceRow.toEntity(row));
  // Another process is inserting the row, or the registration was cancelled. The next round finds out.
  for (const id of absentIds) if (!found.has(id)) locked.add(id);
  return { now, holders, found, locked };
}

/** True if the token is the current one of the registration. */
export const isCurrent = (holder: Holder | undefined, tokenVersion: number): boolean =>
  holder !== undefined && holder.status !== 'cancelled' && holder.tokenVersion === tokenVersion;

/** Loads interactions by webinar id, in the order of display. */
async function loadShownInteractions(
  { query }: Transaction,
  calls: readonly RoomCall[],
  { accountId, found }: { accountId: string; found: ReadonlyMap<string, Attendance> },
): Promise<Map<string, Interaction[]>> {
  const wanted = calls.flatMap(({ token, interactions }) => {
    const webinarId = found.get(token.registrationId)?.webinarId;
    if (interactions === undefined || webinarId === undefined) return [];
    return [{ webinarId, id: interactions === 'all' ? null : interactions.id }];
  });
  const each = [...new Map(wanted.map((one) => [`${one.webinarId} ${one.id}`, one])).values()];
  return Map.groupBy(await loadInteractions(query, accountId, each), ({ webinarId }) => webinarId);
}

interface PathOptions {
  accountId: string;
  /** The ids of adaptive webinars. */
  adaptive: readonly string[];
  attendances: readonly Attendance[];
  registrations: Map<string, Registration>;
  now: Date;
}

interface Paths {
  graphs: ReadonlyMap<string, Graph>;
  /** Chat messages by registration id, for viewers whose branches depend on them. */
  said: ReadonlyMap<string, readonly string[]>;
}

/** Loads graphs and messages for viewers of adaptive webinars, and adds their registrations to `registrations`. */
async function loadPaths(
  tx: Transaction,
  { accountId, adaptive, attendances, registrations, now }: PathOptions,
): Promise<Paths> {
  const said = new Map<string, readonly string[]>();
  if (adaptive.length === 0) return { graphs: new Map(), said };
  const ids = new Set(adaptive);
  const viewers = attendances.filter(({ webinarId }) => ids.has(webinarId));
  const unknown = viewers.filter(({ registrationId }) => !registrations.has(registrationId));
  const [graphs, others] = await Promise.all([
    loadGraphs(
      tx.query,
      adaptive.map((webinarId) => ({ accountId, webinarId })),
    ),
    loadRegistrations(
      tx,
      accountId,
      unknown.map(({ registrationId }) => registrationId),
    ),
  ]);
  for (const [id, registration] of others) registrations.set(id, registration);
  const asked = viewers.filter(({ webinarId }) => asksForMessages(graphs.get(webinarId)));
  if (asked.length === 0) return { graphs, said };
  const reader = accountWriter(tx, { accountId, now });
  return { graphs, said: await chatMessages(reader, asked, { charactersMax: messageCharactersMax }) };
}

const asksForMessages = (graph: Graph | undefined): boolean =>
  graph?.branches.some(({ conditions }) => readsMessages(conditions)) ?? false;

/** Loads registrations by id. Heartbeats without events do not need them. */
export async function loadRegistrations(
  { query }: Pick<Transaction, 'query'>,
  accountId: string,
  registrationIds: readonly string[],
): Promise<Map<string, Registration>> {
  if (registrationIds.length === 0) return new Map();
  const rows = await query(selectRegistrations, [accountId, [...new Set(registrationIds)]]);
  return new Map(rows.map((row) => [row.id, registrationRow.toEntity(row)]));
}
