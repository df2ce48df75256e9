import { accountWriter, createId, type Database, type Transaction } from '@service/database';
import { factsOfAttendance, type Attendance } from '../entities/attendance.ts';
import type { Registration } from '../entities/registration.ts';
import { attendeeErrors } from '../errors.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import { publishEvents, recordEvents, type AttendeeEvent } from '../event/publish-events.ts';
import type { Announce } from './announce.ts';
import { loadPeople } from './load-people.ts';
import { isCurrent, loadScenes, type Scenes } from './load-scenes.ts';
import { addVotes, markAttending, selectCounts, updateAttendances } from './rooms.sql.ts';
import type { Act, Call, Scene, Written } from './scene.ts';

export interface RoomOptions {
  database: Pick<Database, 'ofAccount' | 'query'>;
  subscriber: EventSubscriber;
  announce: Announce;
  /** For tests. By default the time of the database. */
  now?: (() => Date) | undefined;
}

/** The progress of a batch. */
export interface Progress {
  /** True if only the commit is left. */
  isWritten: boolean;
}

/** The answer of a call, or the error to throw. */
export type CallResult = { ok: true; answer: unknown } | { ok: false; error: unknown };

/** Result of a call that did nothing, because another transaction has locked a row of the attendee. */
export const locked = 'locked';

/**
 * Runs calls of many attendees of one account in one transaction with few statements. Each call sees the changes of earlier ones.
 * A refused call, or one of an attendee whose rows are locked, changes nothing and does not affect the others. Any other error
 * rolls back the whole batch.
 */
export async function runCalls(
  options: RoomOptions,
  calls: readonly Call[],
  progress: Progress,
): Promise<(CallResult | typeof locked)[]> {
  const { accountId } = calls[0]!.token;
  return options.database.ofAccount(accountId).transaction(async (tx) => {
    const { subscriber, now } = options;
    const scenes = await loadScenes(tx, calls, { accountId, subscriber, now });
    const played = await playAll(scenes, calls);
    const marks = await markJoined(tx, accountId, played.filter(isDone));
    const done = played.filter(isDone).filter((one) => !marks.locked.has(holderId(one)));
    const written = await write(tx, done, { scenes, absent: marks.absent });
    const open = done.filter(({ act }) => act.isPublic);
    if (open.length > 0)
      tx.afterCommit(() => {
        for (const { scene } of open) options.announce(scene.session.accountId, scene.session.id);
      });
    progress.isWritten = true;
    return played.map((one) => {
      if (one === locked) return locked;
      if (!('act' in one)) return { ok: false, error: one.error };
      return marks.locked.has(holderId(one))
        ? locked
        : { ok: true, answer: one.act.answer(written(one.scene)) };
    });
  });
}

interface Done {
  /** The state after the act. */
  scene: Scene;
  act: Act<unknown>;
}

type Played = Done | { error: unknown } | typeof locked;

const isDone = (played: Played): played is Done => played !== locked && 'act' in played;

/** Plays the calls in order. Conditions of branches can take long, so other work of the process runs in between. */
async function playAll(scenes: Scenes, calls: readonly Call[]): Promise<Played[]> {
  const played: Played[] = [];
  for (const call of calls) {
    const one = play(scenes, call);
    played.push(one);
    const turn = isDone(one) && one.scene.evaluation.giveWay();
    if (turn) await turn;
  }
  return played;
}

function play(scenes: Scenes, call: Call): Played {
  try {
    if (!isCurrent(scenes.holderOf(call), call.token.tokenVersion)) throw attendeeErrors.join_link_expired();
    if (scenes.isLocked(call)) return locked;
    const scene = admit(scenes, call);
    const act = call.act(scene);
    // The next call of this attendee in the batch starts from this state.
    if (act.attendance) scene.attendance = act.attendance;
    return { scene: { ...scene }, act };
  } catch (error) {
    return { error };
  }
}

/** Throws join_link_expired, visit_not_found. */
function admit(scenes: Scenes, call: Call): Scene {
  const scene = scenes.sceneOf(call);
  if (!scene) throw attendeeErrors.visit_not_found();
  if (scene.webinar.status !== 'published') throw attendeeErrors.join_link_expired();
  return scene;
}

interface WriteOptions {
  scenes: Scenes;
  /** Registrations that were cancelled in the meantime. Their events are not published. */
  absent: ReadonlySet<string>;
}

async function write(
  tx: Transaction,
  done: readonly Done[],
  { scenes, absent }: WriteOptions,
): Promise<(scene: Scene) => Written> {
  // The last call of each attendee has the final state.
  const last = new Map(done.map(({ scene }) => [scene.found, scene.attendance]));
  const changed = [...last].filter(([found, attendance]) => attendance !== found);
  if (changed.length > 0)
    tx.defer(updateAttendances, [JSON.stringify(changed.map((pair) => attendanceToRow(...pair)))]);
  await publish(
    tx,
    scenes,
    done.filter((one) => !absent.has(holderId(one))),
  );
  record(tx, done);
  // Last, because batches with votes in the same poll wait for each other from here until the commit.
  const counts = await countVotes(tx, done);
  return (scene) => ({
    countsOf: (interactionId) => counts.get(`${scene.session.id} ${interactionId}`) ?? new Map(),
  });
}

// Large columns are only sent if they changed.
const attendanceToRow = (found: Attendance, attendance: Attendance) => ({
  account_id: attendance.accountId,
  registration_id: attendance.registrationId,
  visits: attendance.visits,
  first_joined_at: attendance.firstJoinedAt,
  join_count: attendance.joinCount,
  last_seen_at: attendance.lastSeenAt,
  leaving_at: attendance.leavingAt,
  left_at: attendance.leftAt,
  check_at: attendance.checkAt,
  position_seconds: attendance.positionSeconds,
  watched: attendance.watched === found.watched ? null : Buffer.from(attendance.watched).toString('base64'),
  watched_seconds: attendance.watchedSeconds,
  completion_percent: attendance.completionPercent,
  completed_at: attendance.completedAt,
  clicks: attendance.clicks === found.clicks ? null : attendance.clicks,
  answers: attendance.answers === found.answers ? null : attendance.answers,
  views: attendance.views === found.views ? null : attendance.views,
  path: attendance.path === found.path ? null : attendance.path,
});

interface Marks {
  /** Registrations that were cancelled in the meantime. */
  absent: ReadonlySet<string>;
  /** Registrations that another transaction has locked. */
  locked: ReadonlySet<string>;
}

/** Sets the registrations of joining attendees to `attending`. */
async function markJoined({ query }: Transaction, accountId: string, done: readonly Done[]): Promise<Marks> {
  const joined = done.filter(({ act }) => act.isJoin).map(holderId);
  if (joined.length === 0) return { absent: new Set(), locked: new Set() };
  const rows = await query<{ id: string; status: Registration['status'] }>(markAttending, [
    accountId,
    joined,
  ]);
  const statusById = new Map(rows.map(({ id, status }) => [id, status]));
  return {
    absent: new Set(joined.filter((id) => statusById.get(id) === 'cancelled')),
    locked: new Set(joined.filter((id) => !statusById.has(id))),
  };
}

type Counts = Map<string, Map<string, number>>;

/** Adds votes, then reads the counts of these polls, by session and poll. */
async function countVotes({ query }: Transaction, done: readonly Done[]): Promise<Counts> {
  const votes = done.flatMap(({ scene, act }) => (act.vote ? [{ ...act.vote, session: scene.session }] : []));
  const counts: Counts = new Map();
  if (votes.length === 0) return counts;
  const rows = votes.map(({ session, interactionId, optionId, isRepeat = false }) => ({
    account_id: session.accountId,
    session_id: session.id,
    interaction_id: interactionId,
    option_id: optionId,
    isRepeat,
  }));
  const sums = [
    ...Map.groupBy(
      rows.filter((row) => !row.isRepeat),
      (row) => JSON.stringify(row),
    ).values(),
  ];
  const polls = [...new Map(rows.map((row) => [`${row.session_id} ${row.interaction_id}`, row])).values()];
  const [, found] = await Promise.all([
    sums.length > 0 &&
      query(addVotes, [JSON.stringify(sums.map((same) => ({ ...same[0], count: same.length })))]),
    query<{ session_id: string; interaction_id: string; option_id: string; count: number }>(selectCounts, [
      polls[0]!.account_id,
      polls.map((row) => row.session_id),
      polls.map((row) => row.interaction_id),
    ]),
  ]);
  for (const row of found) {
    const key = `${row.session_id} ${row.interaction_id}`;
    counts.set(key, (counts.get(key) ?? new Map<string, number>()).set(row.option_id, row.count));
  }
  return counts;
}

function record(tx: Transaction, done: readonly Done[]): void {
  const [first] = done;
  if (!first) return;
  const events = done.flatMap(({ scene, act: { recorded } }) => {
    if (!recorded) return [];
    const { webinarId, sessionId, registrationId } = scene.attendance;
    return [{ ...recorded, id: createId(), webinarId, sessionId, registrationId }];
  });
  recordEvents(accountWriter(tx, { accountId: first.scene.holder.accountId, now: first.scene.now }), events);
}

/** Publishes the events of each webinar together. */
async function publish(tx: Transaction, scenes: Scenes, done: readonly Done[]): Promise<void> {
  const happened = done.filter(({ act }) => act.events && act.events.length > 0);
  if (happened.length === 0) return;
  const { accountId } = happened[0]!.scene.holder;
  const unknown = happened.filter(({ scene }) => !scene.person);
  const people = await loadPeople(tx, accountId, unknown.map(holderId));
  for (const [webinarId, own] of Map.groupBy(happened, ({ scene }) => scene.webinar.id)) {
    const writer = accountWriter(tx, { accountId, now: scenes.now });
    const events = own.flatMap(({ scene, act }) =>
      toEvents({ scene, act }, scene.person ?? people.get(scene.holder.id)!),
    );
    await publishEvents(writer, events, scenes.interestOf(webinarId));
  }
}

const holderId = ({ scene }: Pick<Done, 'scene'>): string => scene.holder.id;

function toEvents({ scene, act }: Done, registration: Registration): AttendeeEvent[] {
  const { webinar, session, attendance } = scene;
  const facts = factsOfAttendance(attendance);
  return act.events!.map((draft) => ({ id: createId(), ...draft, webinar, registration, session, facts }));
}
