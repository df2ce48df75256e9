// Applies heartbeats to an attendance: presence, watch time and marks. Pure functions.
import type { Path, PathSegment, Session, Webinar } from '@service/webinars';
import type { Attendance, Visit } from '../entities/attendance.ts';
import { attendeeErrors } from '../errors.ts';
import type { EventDraft } from '../event/publish-events.ts';
import type { HeartbeatInput } from './heartbeat-input.ts';
import { isInSession, isPresent, join, leaveGraceSeconds, secondsAfter } from './departure.ts';
import { crossedMarks, percentOf } from './watch-progress.ts';
import { addVisit, countSeq, findVisit } from './visits.ts';
import { budgetOf, earnableSeconds, openBudget, useUp, type WatchBudget } from './watch-budget.ts';
import { countSeconds, creditSeconds, type Range } from './watched.ts';
import { furthestPosition } from './live-position.ts';

export interface HeartbeatContext {
  now: Date;
  session: Session;
  webinar: Webinar;
  /** Marks of watch time that become events. */
  minutes: readonly number[];
  percents: readonly number[];
}

export interface HeartbeatResult {
  attendance: Attendance;
  /** In the order in which they happened. */
  events: EventDraft[];
  /** The attendee was not in the room before. */
  isJoin: boolean;
  /** This heartbeat ends the current segment of an adaptive webinar. */
  segmentEnded: boolean;
}

interface Opening {
  accountId: string;
  registrationId: string;
  webinarId: string;
  sessionId: string;
  visitId: string;
  now: Date;
  /** The first path of an adaptive webinar. */
  path: Path | null;
}

/** Adds a visit. Without an attendance it is the first visit of the attendee. */
export function openVisit(
  attendance: Attendance | undefined,
  { visitId, now, path, ...ids }: Opening,
): Attendance {
  const visits = addVisit(attendance?.visits ?? [], { id: visitId, now, ...openBudget(attendance, now) });
  if (attendance) return { ...attendance, visits, path: attendance.path ?? path };
  return {
    ...ids,
    visits,
    firstVisitAt: now,
    firstJoinedAt: null,
    joinCount: 0,
    lastSeenAt: null,
    leavingAt: null,
    leftAt: null,
    checkAt: null,
    positionSeconds: 0,
    watched: Buffer.alloc(0),
    watchedSeconds: 0,
    completionPercent: 0,
    completedAt: null,
    replayWatchedAt: null,
    clicks: {},
    views: [],
    answers: {},
    path,
    replayPath: null,
  };
}

/** Applies a heartbeat. A repeated one only updates lastSeenAt. Throws visit_not_found. */
export function applyHeartbeat(
  attendance: Attendance,
  beat: HeartbeatInput,
  snapshot: HeartbeatContext,
): HeartbeatResult {
  const visit = requireVisit(attendance, beat);
  const seen = { ...attendance, lastSeenAt: latest(attendance.lastSeenAt, snapshot.now) };
  const counted = isInSession(attendance, snapshot) ? countSeq(visit, beat.seq) : undefined;
  if (!counted) return { attendance: seen, events: [], isJoin: false, segmentEnded: false };
  const isJoin = !isPresent(attendance);
  const segmentEnded = endsSegment(attendance, beat);
  const there = isJoin ? join(seen, snapshot.now) : seen;
  // A heartbeat that arrives after a later one adds watch time, but its position is out of date.
  const placed = beat.seq < visit.seqMax ? there : { ...moveTo(beat, there, snapshot), leavingAt: null };
  const watched = watch(placed, counted, {
    claims: claimsOf(beat, placed, snapshot),
    budget: budgetOf(attendance, visit, snapshot),
    webinar: snapshot.webinar,
  });
  const passed = passMarks(attendance, segmentEnded ? endSegment(watched) : watched, snapshot);
  const joined: EventDraft[] = isJoin ? [{ type: 'joined', occurredAt: snapshot.now, data: {} }] : [];
  const ended = segmentEnded ? [segmentCompleted(beat, passed.attendance, snapshot)] : [];
  return { ...passed, events: [...joined, ...passed.events, ...ended], isJoin, segmentEnded };
}

/** Applies the last heartbeat of a page. The attendee leaves 60 s later unless another heartbeat arrives. Throws visit_not_found. */
export function applyLeave(
  attendance: Attendance,
  beat: HeartbeatInput,
  snapshot: HeartbeatContext,
): HeartbeatResult {
  const isOvertaken = beat.seq < requireVisit(attendance, beat).seqMax;
  const beaten = applyHeartbeat(attendance, beat, snapshot);
  const { checkAt, leavingAt } = beaten.attendance;
  if (!checkAt || isOvertaken) return beaten;
  const goneAt = secondsAfter(snapshot.now, leaveGraceSeconds);
  const leaving = { leavingAt: leavingAt ?? snapshot.now, checkAt: goneAt < checkAt ? goneAt : checkAt };
  return { ...beaten, attendance: { ...beaten.attendance, ...leaving } };
}

/**
 * Applies a heartbeat of a replay. It earns no watch time, passes no mark and publishes nothing; the first one with played seconds is
 * remembered. Throws visit_not_found.
 */
export function watchReplay(
  attendance: Attendance,
  beat: HeartbeatInput,
  { now }: Pick<HeartbeatContext, 'now'>,
): HeartbeatResult {
  const visit = requireVisit(attendance, beat);
  const counted = countSeq(visit, beat.seq);
  const seen = { ...attendance, lastSeenAt: latest(attendance.lastSeenAt, now) };
  if (!counted) return { attendance: seen, events: [], isJoin: false, segmentEnded: false };
  const segmentEnded = endsSegment(attendance, beat);
  const isPlayed = beat.intervals.some(([from, to]) => to > from);
  const watched = {
    ...seen,
    visits: attendance.visits.map((other) => (other.id === visit.id ? counted : other)),
    replayWatchedAt: attendance.replayWatchedAt ?? (isPlayed ? now : null),
  };
  return {
    attendance: segmentEnded ? endSegment(watched) : watched,
    events: [],
    isJoin: false,
    segmentEnded,
  };
}

function requireVisit({ visits }: Attendance, { visitId }: HeartbeatInput): Visit {
  const visit = findVisit(visits, visitId);
  if (!visit) throw attendeeErrors.visit_not_found();
  return visit;
}

/** Times can go back, because clocks of processes differ and a call can wait for the row. */
const latest = (time: Date | null | undefined, now: Date): Date => (time && time > now ? time : now);

/** In an adaptive webinar, the position is that in the current segment. */
function moveTo(beat: HeartbeatInput, attendance: Attendance, { webinar }: HeartbeatContext): Attendance {
  if (attendance.path && !isOfCurrent(attendance.path, beat)) return attendance;
  const { durationSeconds } = placeOf(beat, attendance, webinar);
  return { ...attendance, positionSeconds: Math.min(Math.round(beat.playheadSeconds), durationSeconds) };
}

interface Watching {
  claims: readonly Range[];
  budget: WatchBudget;
  webinar: Webinar;
}

function watch(attendance: Attendance, visit: Visit, { claims, budget, webinar }: Watching): Attendance {
  const { watched, gainedSeconds } = creditSeconds(attendance.watched, claims, earnableSeconds(budget));
  const watchedSeconds = attendance.watchedSeconds + gainedSeconds;
  const percent = percentOf(watchedSeconds, totalOf(attendance, webinar));
  const credited = useUp(visit, budget, gainedSeconds);
  return {
    ...attendance,
    visits: attendance.visits.map((other) => (other.id === visit.id ? credited : other)),
    watched,
    watchedSeconds,
    completionPercent: Math.max(percent, attendance.completionPercent),
  };
}

const totalOf = ({ path }: Attendance, { durationSeconds }: Webinar): number =>
  path ? path.totalSeconds : durationSeconds;

function passMarks(
  before: Attendance,
  after: Attendance,
  { now, webinar, minutes, percents }: HeartbeatContext,
): Pick<HeartbeatResult, 'attendance' | 'events'> {
  const events = crossedMarks({
    before,
    after,
    totalSeconds: totalOf(after, webinar),
    minutes,
    percents,
    completeAt: after.completedAt ? undefined : webinar.attendance.completionPercent,
    now,
    inTransition: after.path?.inTransition,
  });
  const completed = events.some(({ type }) => type === 'video_complete') && { completedAt: now };
  return { attendance: { ...after, ...completed }, events };
}

const isOfCurrent = ({ currentId }: Path, { segmentId = currentId }: HeartbeatInput): boolean =>
  segmentId === currentId;

/** A player can report the end of a segment more than once, and late. */
const endsSegment = ({ path }: Attendance, beat: HeartbeatInput): boolean =>
  Boolean(path && !path.inTransition && beat.state === 'ended' && isOfCurrent(path, beat));

const endSegment = (attendance: Attendance): Attendance => ({
  ...attendance,
  path: attendance.path && { ...attendance.path, inTransition: true },
});

function segmentCompleted(
  beat: HeartbeatInput,
  attendance: Attendance,
  { now, webinar }: HeartbeatContext,
): EventDraft {
  const { offsetSeconds, durationSeconds } = placeOf(beat, attendance, webinar);
  const watchedSeconds = countSeconds(attendance.watched, offsetSeconds, offsetSeconds + durationSeconds);
  return {
    type: 'segment_completed',
    occurredAt: now,
    data: { segment_id: attendance.path?.currentId, watch_duration_seconds: watchedSeconds },
  };
}

// Limits the intervals of a heartbeat to seconds that the video has and that a player can have shown.

/** Seconds that a player may be ahead of the live position. */
const leadSeconds = 5;

/** The intervals of a heartbeat in whole seconds, without the part that cannot have been played yet. */
function claimsOf(beat: HeartbeatInput, attendance: Attendance, snapshot: HeartbeatContext): Range[] {
  const { offsetSeconds, durationSeconds } = placeOf(beat, attendance, snapshot.webinar);
  const end = Math.min(durationSeconds, playableEnd(attendance, snapshot));
  return beat.intervals.map(([from, to]) => [
    offsetSeconds + Math.round(from),
    offsetSeconds + Math.min(Math.round(to), end),
  ]);
}

/** The last second that a player can have shown. Infinite if viewers can seek. */
function playableEnd(attendance: Attendance, { session, webinar, now }: HeartbeatContext): number {
  if (webinar.room.seekAllowed) return Number.POSITIVE_INFINITY;
  return furthestPosition(attendance, { session, webinar, now }) + leadSeconds;
}

/** Position of the played segment in the viewer's timeline. A segment that the viewer never entered has length 0. */
function placeOf(
  { segmentId }: HeartbeatInput,
  { path }: Attendance,
  { durationSeconds }: Webinar,
): Pick<PathSegment, 'offsetSeconds' | 'durationSeconds'> {
  if (!path) return { offsetSeconds: 0, durationSeconds };
  const id = segmentId ?? path.currentId;
  const segment = path.segments.find((segment) => segment.segmentId === id);
  return segment ?? { offsetSeconds: 0, durationSeconds: 0 };
}
