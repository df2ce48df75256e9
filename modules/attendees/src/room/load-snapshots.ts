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
import { findMessages } from '../response/chat.ts';
import { addAttendances, lockAttendances, selectRegistrations } from './run-calls.sql.ts';
import type { AttendeeSnapshot, Holder, RoomCall } from './room-call.ts';
import type { RoomParts } from './run-calls.ts';
import { asksForMessages, hasConditions, type InteractionCache } from './shown-interactions.ts';

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
  /** The registrations whose attendance this batch has added, for a first call. */
  addedIds: readonly string[];
}

/** CPU time for the conditions of all attendees in a batch, because other accounts wait meanwhile. */
const conditionsMs = 100;

/** Characters of messages read per attendee. A batch can have a hundred attendees. */
const messageCharactersMax = 10_000;

interface LoadOptions extends Pick<RoomParts, 'now' | 'joinLinks' | 'interactionCache'> {
  accountId: string;
  subscriber: Pick<EventSubscriber, 'findInterest'>;
}

/**
 * Loads the rows of a batch in two round trips, with one more for first visits and one more for adaptive webinars and for lists of
 * interactions with conditions.
 */
export async function loadSnapshots(
  tx: Transaction,
  calls: readonly RoomCall[],
  { accountId, subscriber, now: givenNow, joinLinks, interactionCache }: LoadOptions,
): Promise<AttendeeSnapshots> {
  const { now, holders, found, locked, addedIds } = await loadAttendances(tx, calls, { accountId, givenNow });
  const attendances = [...found.values()];
  const webinarIds = [...new Set(attendances.map(({ webinarId }) => webinarId))];
  const sessionIds = attendances.map(({ sessionId }) => sessionId);
  const first = calls.filter((call) => call.isFirst && found.has(call.token.registrationId));
  const [sessions, webinars, interactions, messages, registrations, interests] = await Promise.all([
    loadSessions(tx.query, keysIn(accountId, sessionIds)),
    loadWebinars(tx.query, keysIn(accountId, webinarIds)),
    loadNeededInteractions(tx, calls, { accountId, found, interactionCache }),
    findMessages({ query: tx.query, accountId }, answeredIn(calls, found)),
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
  const { shown } = interactions;
  const paths = await loadSources(tx, { accountId, adaptive, shown, attendances, registrations, now });
  const evaluation = createEvaluation({ totalMs: conditionsMs });

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
      interactions: interactions.loaded.get(attendance.webinarId) ?? [],
      shown: shown.get(attendance.registrationId),
      joinLinks,
      messages,
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
    addedIds,
  };
}

/** Maps and sets by registration id. */
interface FoundAttendances {
  now: Date;
  holders: Map<string, Holder>;
  found: Map<string, Attendance>;
  locked: Set<string>;
  addedIds: readonly string[];
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
  return { now, holders, found, locked, addedIds: added.map((row) => row.registration_id) };
}

/** True if the token is the current one of the registration. */
export const isCurrent = (holder: Holder | undefined, tokenVersion: number): boolean =>
  holder !== undefined && holder.status !== 'cancelled' && holder.tokenVersion === tokenVersion;

const answeredIn = (calls: readonly RoomCall[], found: ReadonlyMap<string, Attendance>) =>
  calls.flatMap(({ token, replyTo }) => {
    const sessionId = found.get(token.registrationId)?.sessionId;
    return replyTo === undefined || sessionId === undefined ? [] : [{ sessionId, id: replyTo }];
  });

interface NeededInteractions {
  /** Those that were read, by webinar id, in the order of display. */
  loaded: ReadonlyMap<string, Interaction[]>;
  /** All of the webinar, by registration id, for attendees whose list is needed. */
  shown: ReadonlyMap<string, readonly Interaction[]>;
}

interface NeededOptions {
  accountId: string;
  found: ReadonlyMap<string, Attendance>;
  interactionCache: InteractionCache;
}

async function loadNeededInteractions(
  { query }: Transaction,
  calls: readonly RoomCall[],
  { accountId, found, interactionCache }: NeededOptions,
): Promise<NeededInteractions> {
  const shown = new Map<string, readonly Interaction[]>();
  const listReaders: Attendance[] = [];
  const keys = new Map<string, { webinarId: string; id: string | null }>();
  const need = (webinarId: string, id: string | null): void =>
    void keys.set(`${webinarId} ${id}`, { webinarId, id });
  for (const { token, interactions } of calls) {
    const attendance = found.get(token.registrationId);
    if (!interactions || !attendance) continue;
    const { webinarId, registrationId } = attendance;
    if (interactions !== 'all' && 'id' in interactions) {
      need(webinarId, interactions.id);
      continue;
    }
    const known =
      interactions === 'all' ? 'unknown' : interactionCache.listFor(webinarId, interactions.version);
    if (known === 'unknown') {
      need(webinarId, null);
      listReaders.push(attendance);
    } else if (known) shown.set(registrationId, known);
  }
  const loaded = Map.groupBy(
    await loadInteractions(query, accountId, [...keys.values()]),
    ({ webinarId }) => webinarId,
  );
  for (const webinarId of new Set(listReaders.map((reader) => reader.webinarId)))
    interactionCache.keep(webinarId, loaded.get(webinarId) ?? []);
  for (const { registrationId, webinarId } of listReaders)
    shown.set(registrationId, loaded.get(webinarId) ?? []);
  return { loaded, shown };
}

interface SourceOptions extends Pick<NeededInteractions, 'shown'> {
  accountId: string;
  /** The ids of adaptive webinars. */
  adaptive: readonly string[];
  attendances: readonly Attendance[];
  registrations: Map<string, Registration>;
  now: Date;
}

interface Sources {
  graphs: ReadonlyMap<string, Graph>;
  /** Chat messages by registration id, for attendees whose branches or interactions depend on them. */
  said: ReadonlyMap<string, readonly string[]>;
}

/**
 * Loads what conditions of branches and of interactions need: graphs and messages. Adds the registrations of these attendees to
 * `registrations`.
 */
async function loadSources(
  tx: Transaction,
  { accountId, adaptive, shown, attendances, registrations, now }: SourceOptions,
): Promise<Sources> {
  const said = new Map<string, readonly string[]>();
  const adaptiveIds = new Set(adaptive);
  const listOf = ({ registrationId }: Attendance): readonly Interaction[] => shown.get(registrationId) ?? [];
  const judged = attendances.filter(
    (attendance) => adaptiveIds.has(attendance.webinarId) || hasConditions(listOf(attendance)),
  );
  if (judged.length === 0) return { graphs: new Map(), said };
  const unknown = judged.filter(({ registrationId }) => !registrations.has(registrationId));
  const [graphs, others] = await Promise.all([
    adaptive.length === 0
      ? new Map<string, Graph>()
      : loadGraphs(
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
  const asked = judged.filter(
    (attendance) =>
      branchesReadMessages(graphs.get(attendance.webinarId)) || asksForMessages(listOf(attendance)),
  );
  if (asked.length === 0) return { graphs, said };
  const reader = accountWriter(tx, { accountId, now });
  return { graphs, said: await chatMessages(reader, asked, { charactersMax: messageCharactersMax }) };
}

const branchesReadMessages = (graph: Graph | undefined): boolean =>
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
