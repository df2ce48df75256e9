import { accountWriter, createId, type Database, type Transaction } from '@service/database';
import { acceptsEvents } from '@service/webinars';
import { type Attendance, factsOfAttendance } from '../entities/attendance.ts';
import type { Registration } from '../entities/registration.ts';
import { attendeeErrors } from '../errors.ts';
import type { EventSubscriber } from '../event/event-subscriber.ts';
import { type AttendeeEvent, publishEvents, recordEvents } from '../event/publish-events.ts';
import type { JoinLinks } from '../registration/join-token.ts';
import type { Announce } from './feed.ts';
import { type AttendeeSnapshots, isCurrent, loadRegistrations, loadSnapshots } from './load-snapshots.ts';
import {
  addVotes,
  markAttending,
  removeAttendances,
  selectCounts,
  updateAttendances,
} from './run-calls.sql.ts';
import type { AttendeeSnapshot, RoomCall, RoomChange, Written } from './room-call.ts';
import type { InteractionCache } from './shown-interactions.ts';

export interface RoomOptions {
  database: Pick<Database, 'ofAccount' | 'query'>;
  subscriber: EventSubscriber;
  announce: Announce;
  /** Called after a commit for each webinar whose attendances changed. Must not throw. */
  onChanged?: ((accountId: string, webinarId: string) => void) | undefined;
  /** For tests. By default the time of the database. */
  now?: (() => Date) | undefined;
}

export interface RoomParts extends RoomOptions {
  joinLinks: Pick<JoinLinks, 'clickUrlOf'>;
  interactionCache: InteractionCache;
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
  options: RoomParts,
  calls: readonly RoomCall[],
  progress: Progress,
): Promise<(CallResult | typeof locked)[]> {
  const { accountId } = calls[0]!.token;
  return options.database.ofAccount(accountId).transaction(async (tx) => {
    const snapshots = await loadSnapshots(tx, calls, { ...options, accountId });
    const handled = await handleAll(snapshots, calls);
    const marks = await markJoined(tx, accountId, handled.filter(isDone));
    const done = handled.filter(isDone).filter((one) => !marks.locked.has(holderId(one)));
    const written = await write(tx, done, { accountId, snapshots, absent: marks.absent });
    const kept = new Set(done.map(holderId));
    const refused = snapshots.addedIds.filter((id) => !kept.has(id));
    if (refused.length > 0) tx.defer(removeAttendances, [accountId, refused]);
    const open = done.filter(({ change }) => change.isPublic);
    if (open.length > 0)
      tx.afterCommit(() => {
        for (const { snapshot } of open) options.announce(snapshot.session.accountId, snapshot.session.id);
      });
    const { onChanged } = options;
    if (onChanged) {
      const webinarIds = new Set(done.map(({ snapshot }) => snapshot.webinar.id));
      tx.afterCommit(() => webinarIds.forEach((webinarId) => onChanged(accountId, webinarId)));
    }
    progress.isWritten = true;
    return handled.map((one) => {
      if (one === locked) return locked;
      if (!('change' in one)) return { ok: false, error: one.error };
      return marks.locked.has(holderId(one))
        ? locked
        : { ok: true, answer: one.change.answer(written(one.snapshot)) };
    });
  });
}

interface Done {
  /** The state after the change. */
  snapshot: AttendeeSnapshot;
  change: RoomChange<unknown>;
}

type Handled = Done | { error: unknown } | typeof locked;

const isDone = (handled: Handled): handled is Done => handled !== locked && 'change' in handled;

/** Plays the calls in order. Conditions of branches can take long, so other work of the process runs in between. */
async function handleAll(snapshots: AttendeeSnapshots, calls: readonly RoomCall[]): Promise<Handled[]> {
  const handled: Handled[] = [];
  for (const call of calls) {
    const one = handleOne(snapshots, call);
    handled.push(one);
    const turn = isDone(one) && one.snapshot.evaluation.giveWay();
    if (turn) await turn;
  }
  return handled;
}

function handleOne(snapshots: AttendeeSnapshots, call: RoomCall): Handled {
  try {
    if (!isCurrent(snapshots.holderOf(call), call.token.tokenVersion))
      throw attendeeErrors.join_link_expired();
    if (snapshots.isLocked(call)) return locked;
    const snapshot = admit(snapshots, call);
    const change = call.handle(snapshot);
    // The next call of this attendee in the batch starts from this state.
    if (change.attendance) snapshot.attendance = change.attendance;
    return { snapshot: { ...snapshot }, change };
  } catch (error) {
    return { error };
  }
}

/** Throws join_link_expired, visit_not_found. */
function admit(snapshots: AttendeeSnapshots, call: RoomCall): AttendeeSnapshot {
  const snapshot = snapshots.snapshotOf(call);
  if (!snapshot) throw attendeeErrors.visit_not_found();
  if (!acceptsEvents(snapshot.webinar)) throw attendeeErrors.join_link_expired();
  return snapshot;
}

interface WriteOptions {
  accountId: string;
  snapshots: AttendeeSnapshots;
  /** Registrations that were cancelled in the meantime. Their events are not published. */
  absent: ReadonlySet<string>;
}

async function write(
  tx: Transaction,
  done: readonly Done[],
  { accountId, snapshots, absent }: WriteOptions,
): Promise<(snapshot: AttendeeSnapshot) => Written> {
  // The last call of each attendee has the final state.
  const last = new Map(
    done.map(({ snapshot }) => [
      snapshot.found,
      snapshot.holder.status === 'test' ? absentOf(snapshot.attendance) : snapshot.attendance,
    ]),
  );
  const changed = [...last].filter(([found, attendance]) => attendance !== found);
  if (changed.length > 0)
    tx.defer(updateAttendances, [
      accountId,
      changed.map(([{ registrationId }]) => registrationId),
      JSON.stringify(changed.map((pair) => attendanceToRow(...pair))),
    ]);
  const counted = done.filter(({ snapshot }) => snapshot.holder.status !== 'test');
  await publish(
    tx,
    snapshots,
    counted.filter((one) => !absent.has(holderId(one))),
  );
  record(tx, counted);
  // Last, because batches with votes in the same poll wait for each other from here until the commit.
  const counts = await countVotes(tx, done);
  return (snapshot) => ({
    countsOf: (interactionId) => counts.get(`${snapshot.session.id} ${interactionId}`) ?? new Map(),
  });
}

/** A test attendee is never in the room, as the counts of attendees and the presence check see it. */
const absentOf = (attendance: Attendance): Attendance =>
  attendance.checkAt || attendance.firstJoinedAt
    ? { ...attendance, checkAt: null, firstJoinedAt: null }
    : attendance;

// Only the columns that the statement reads, because every heartbeat sends them; large ones only if they changed.
const attendanceToRow = (found: Attendance, attendance: Attendance) => ({
  registrationId: attendance.registrationId,
  visits: attendance.visits,
  firstJoinedAt: attendance.firstJoinedAt,
  joinCount: attendance.joinCount,
  lastSeenAt: attendance.lastSeenAt,
  leavingAt: attendance.leavingAt,
  leftAt: attendance.leftAt,
  checkAt: attendance.checkAt,
  positionSeconds: attendance.positionSeconds,
  watchedSeconds: attendance.watchedSeconds,
  completionPercent: attendance.completionPercent,
  completedAt: attendance.completedAt,
  // Not in the text of a heartbeat that does not change them.
  replayPath: attendance.replayPath === found.replayPath ? undefined : attendance.replayPath,
  replayWatchedAt:
    attendance.replayWatchedAt === found.replayWatchedAt ? undefined : attendance.replayWatchedAt,
  watched: attendance.watched === found.watched ? null : Buffer.from(attendance.watched).toString('base64'),
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
  const joined = done.filter(({ change }) => change.isJoin).map(holderId);
  if (joined.length === 0) return { absent: new Set(), locked: new Set() };
  const rows = await query(markAttending, [accountId, joined]);
  const statusById = new Map(rows.map(({ id, status }) => [id, status]));
  return {
    absent: new Set(joined.filter((id) => statusById.get(id) === 'cancelled')),
    locked: new Set(joined.filter((id) => !statusById.has(id))),
  };
}

type Counts = Map<string, Map<string, number>>;

/** Adds votes, then reads the counts of these polls, by session and poll. */
async function countVotes({ query }: Transaction, done: readonly Done[]): Promise<Counts> {
  const votes = done.flatMap(({ snapshot, change }) =>
    change.vote
      ? [
          {
            ...change.vote,
            session: snapshot.session,
            // Only the results are read.
            isRepeat: change.vote.isRepeat === true || snapshot.holder.status === 'test',
          },
        ]
      : [],
  );
  const counts: Counts = new Map();
  if (votes.length === 0) return counts;
  const rows = votes.map(({ session, interactionId, optionId, isRepeat }) => ({
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
    query(selectCounts, [
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
  const events = done.flatMap(({ snapshot, change: { recorded } }) => {
    if (!recorded) return [];
    const { webinarId, sessionId, registrationId } = snapshot.attendance;
    return [{ ...recorded, id: createId(), webinarId, sessionId, registrationId }];
  });
  recordEvents(
    accountWriter(tx, { accountId: first.snapshot.holder.accountId, now: first.snapshot.now }),
    events,
  );
}

/** Publishes the events of each webinar together. */
async function publish(tx: Transaction, snapshots: AttendeeSnapshots, done: readonly Done[]): Promise<void> {
  const happened = done.filter(({ change }) => change.events && change.events.length > 0);
  if (happened.length === 0) return;
  const { accountId } = happened[0]!.snapshot.holder;
  const unknown = happened.filter(({ snapshot }) => !snapshot.registration);
  const registrations = await loadRegistrations(tx, accountId, unknown.map(holderId));
  for (const [webinarId, own] of Map.groupBy(happened, ({ snapshot }) => snapshot.webinar.id)) {
    const writer = accountWriter(tx, { accountId, now: snapshots.now });
    const events = own.flatMap(({ snapshot, change }) =>
      toEvents({ snapshot, change }, snapshot.registration ?? registrations.get(snapshot.holder.id)!),
    );
    await publishEvents(writer, events, snapshots.interestOf(webinarId));
  }
}

const holderId = ({ snapshot }: Pick<Done, 'snapshot'>): string => snapshot.holder.id;

function toEvents({ snapshot, change }: Done, registration: Registration): AttendeeEvent[] {
  const { webinar, session, attendance } = snapshot;
  const facts = factsOfAttendance(attendance);
  return change.events!.map((draft) => ({ id: createId(), ...draft, webinar, registration, session, facts }));
}
