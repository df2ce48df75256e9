import { accountWriter, rowToEntity, type Transaction } from '@service/database';
import type { Attendance } from '../attendance/attendance.ts';
import { chatMessages } from '../attendance/chat-messages.ts';
import { createEvaluation } from '../condition/evaluation-budget.ts';
import type { EventFollower, Listeners } from '../event/follower.ts';
import type { Interaction } from '../interaction/interaction.ts';
import type { Registration } from '../registration/registration.ts';
import type { Graph } from '../segment/graph.ts';
import { loadGraphs } from '../segment/load-graphs.ts';
import type { Session } from '../session/session.ts';
import type { Webinar } from '../webinar/webinar.ts';
import { loadPeople } from './load-people.ts';
import {
  addAttendances,
  lockAttendances,
  selectInteractions,
  selectSessions,
  selectWebinars,
} from './rooms.sql.ts';
import type { Call, Holder, Scene } from './scene.ts';

/** What a batch of calls finds, each attendee once, held until the end of the transaction. */
export interface Scenes {
  /** Undefined for somebody who has never been there. */
  sceneOf(call: Call): Scene | undefined;
  /** Of them, whose registration it is. */
  strangerOf(call: Call): Holder | undefined;
  listenersOf(webinarId: string): Listeners;
}

/** CPU of the branches of one account's viewers in a batch, which others wait for. */
const branchesMs = 100;

/** Characters of messages that are read of one viewer: a batch may hold a hundred. */
const messageCharactersMax = 10_000;

interface LoadOptions {
  follower: Pick<EventFollower, 'listen'>;
  now: Date;
}

/** Two breaths of statements, however many calls there are; a third one for adaptive webinars. */
export async function loadScenes(
  tx: Transaction,
  calls: readonly Call[],
  { follower, now }: LoadOptions,
): Promise<Scenes> {
  const found = await loadAttendances(tx, calls, now);
  const attendances = [...found.values()].map(({ attendance }) => attendance);
  const webinarKeys = distinct(attendances, ({ webinarId }) => webinarId);
  const sessionKeys = distinct(attendances, ({ sessionId }) => sessionId);
  const unknown = calls.filter((call) => call.isFirst || !found.has(keyOf(call.token)));
  const [sessions, webinars, interactions, people, listeners] = await Promise.all([
    tx.query(selectSessions, columns(sessionKeys)),
    tx.query(selectWebinars, columns(webinarKeys)),
    loadInteractions(tx, calls, found),
    loadPeople(
      tx,
      unknown.map(({ token }) => token),
    ),
    Promise.all(
      webinarKeys.map(async ({ accountId, id }) => {
        const heard = await follower.listen(accountWriter(tx, { accountId, now }), id);
        return [id, heard] as const;
      }),
    ),
  ]);
  const listenersById = new Map(listeners);
  const webinarById = byId(webinars.map((row) => rowToEntity<Webinar>(row)));
  const sessionById = byId(sessions.map((row) => rowToEntity<Session>(row)));
  const adaptive = webinarKeys.filter(({ id }) => webinarById.get(id)?.kind === 'adaptive');
  const paths = await loadPaths(tx, { adaptive, attendances, people, now });
  const evaluations = new Map(
    webinarKeys.map(({ accountId }) => [accountId, createEvaluation({ totalMs: branchesMs })]),
  );

  const scenes = new Map<string, Scene>();
  for (const [key, { attendance, holder }] of found) {
    const { minutes, percents } = listenersById.get(attendance.webinarId)!;
    scenes.set(key, {
      now,
      holder,
      person: people.get(attendance.registrationId),
      session: sessionById.get(attendance.sessionId)!,
      webinar: webinarById.get(attendance.webinarId)!,
      attendance,
      found: attendance,
      minutes,
      percents,
      graph: paths.graphs.get(attendance.webinarId),
      interactions: interactions.get(attendance.webinarId) ?? [],
      chatMessages: paths.said.get(attendance.registrationId) ?? [],
      evaluation: evaluations.get(attendance.accountId)!,
    });
  }
  return {
    sceneOf: (call) => scenes.get(keyOf(call.token)),
    strangerOf: ({ token }) => people.get(token.registrationId),
    listenersOf: (webinarId) => listenersById.get(webinarId)!,
  };
}

interface Key {
  accountId: string;
  id: string;
}

const keyOf = ({ accountId, registrationId }: Pick<Call['token'], 'accountId' | 'registrationId'>): string =>
  `${accountId} ${registrationId}`;

const columns = (keys: readonly Key[]): [string[], string[]] => [
  keys.map((key) => key.accountId),
  keys.map((key) => key.id),
];

const byId = <Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

function distinct(attendances: readonly Attendance[], idOf: (one: Attendance) => string): Key[] {
  const keys = new Map(attendances.map((one) => [idOf(one), { accountId: one.accountId, id: idOf(one) }]));
  return [...keys.values()];
}

const attendeesOf = (calls: readonly Call[]): [string[], string[]] => {
  const tokens = [...new Map(calls.map(({ token }) => [keyOf(token), token])).values()];
  return [tokens.map((token) => token.accountId), tokens.map((token) => token.registrationId)];
};

interface FoundAttendance {
  attendance: Attendance;
  holder: Holder;
}

async function loadAttendances(
  { query }: Transaction,
  calls: readonly Call[],
  now: Date,
): Promise<Map<string, FoundAttendance>> {
  const first = calls.filter((call) => call.isFirst);
  const [, rows] = await Promise.all([
    first.length > 0 && query(addAttendances, [...attendeesOf(first), now]),
    query(lockAttendances, attendeesOf(calls)),
  ]);
  const found = new Map<string, FoundAttendance>();
  for (const row of rows) {
    const { tokenVersion, status, ...attendance } = rowToEntity<
      Attendance & Pick<Registration, 'tokenVersion' | 'status'>
    >(row);
    const { accountId, registrationId } = attendance;
    const holder = { accountId, id: registrationId, tokenVersion, status };
    found.set(keyOf(attendance), { attendance, holder });
  }
  return found;
}

/** By webinar, in the order in which they are shown. */
async function loadInteractions(
  { query }: Transaction,
  calls: readonly Call[],
  found: ReadonlyMap<string, FoundAttendance>,
): Promise<Map<string, Interaction[]>> {
  const wanted = calls.flatMap(({ token, interactions }) => {
    const webinarId = found.get(keyOf(token))?.attendance.webinarId;
    if (interactions === undefined || webinarId === undefined) return [];
    return [{ accountId: token.accountId, webinarId, id: interactions === 'all' ? null : interactions.id }];
  });
  if (wanted.length === 0) return new Map();
  const each = [...new Map(wanted.map((one) => [`${one.webinarId} ${one.id}`, one])).values()];
  const rows = await query(selectInteractions, [
    each.map((one) => one.accountId),
    each.map((one) => one.webinarId),
    each.map((one) => one.id),
  ]);
  return Map.groupBy(
    rows.map((row) => rowToEntity<Interaction>(row)),
    (interaction) => interaction.webinarId,
  );
}

interface PathOptions {
  adaptive: readonly Key[];
  attendances: readonly Attendance[];
  people: Map<string, Registration>;
  now: Date;
}

interface Paths {
  graphs: ReadonlyMap<string, Graph>;
  /** What those have said whose next branch depends on it. */
  said: ReadonlyMap<string, readonly string[]>;
}

/** What decides how viewers of adaptive webinars go on; adds to `people` who they are. */
async function loadPaths(
  tx: Transaction,
  { adaptive, attendances, people, now }: PathOptions,
): Promise<Paths> {
  const said = new Map<string, readonly string[]>();
  if (adaptive.length === 0) return { graphs: new Map(), said };
  const ids = new Set(adaptive.map(({ id }) => id));
  const viewers = attendances.filter(({ webinarId }) => ids.has(webinarId));
  const unknown = viewers.filter(({ registrationId }) => !people.has(registrationId));
  const [graphs, others] = await Promise.all([
    loadGraphs(
      tx.query,
      adaptive.map(({ accountId, id }) => ({ accountId, webinarId: id })),
    ),
    loadPeople(tx, unknown),
  ]);
  for (const [id, person] of others) people.set(id, person);
  const asked = viewers.filter(({ webinarId }) => asksForMessages(graphs.get(webinarId)));
  for (const [accountId, own] of Map.groupBy(asked, (viewer) => viewer.accountId)) {
    const reader = accountWriter(tx, { accountId, now });
    const messages = await chatMessages(reader, own, { charactersMax: messageCharactersMax });
    for (const [id, texts] of messages) said.set(id, texts);
  }
  return { graphs, said };
}

const asksForMessages = (graph: Graph | undefined): boolean =>
  graph?.branches.some(({ conditions }) => conditions.some(({ field }) => field === 'chatMessage')) ?? false;
