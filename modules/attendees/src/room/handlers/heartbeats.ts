import { enterSegment, nextBranch } from '@service/webinars';
import type { HeartbeatInput } from '../../attendance/heartbeat-input.ts';
import { isInSession } from '../../attendance/departure.ts';
import { countSeq, findVisit } from '../../attendance/visits.ts';
import { type Attendance, factsOfAttendance } from '../../entities/attendance.ts';
import type { AttendeeSnapshot, RoomChange, RoomEvent } from '../room-call.ts';
import type { HeartbeatOutput } from '../schemas.ts';
import { factsOf } from '../../attendance/find-attendees.ts';
import { applyHeartbeat, applyLeave, type HeartbeatResult, watchReplay } from '../../attendance/heartbeat.ts';
import { afterReplay, heartbeatOutput, inReplay, isOfReplay } from '../attendee-state.ts';
import { changedInteractions } from '../shown-interactions.ts';
import { branchTaken } from './take-branch.ts';

/** Heartbeats of one page, in the order of their numbers. */
export type Heartbeats = readonly [HeartbeatInput, ...HeartbeatInput[]];

/**
 * Joins waiting heartbeats of one page. Undefined if they must be applied one after the other: they belong to different pages or
 * segments, or one of them ends the segment of a later one.
 */
export function mergeHeartbeats(waiting: Heartbeats, added: Heartbeats): Heartbeats | undefined {
  const isSamePage = waiting[0].visitId === added[0].visitId && waiting[0].segmentId === added[0].segmentId;
  if (!isSamePage) return undefined;
  const known = new Set(waiting.map(({ seq }) => seq));
  const heartbeats = [...waiting, ...added.filter(({ seq }) => !known.has(seq))].toSorted(
    (one, other) => one.seq - other.seq,
  );
  return heartbeats.slice(0, -1).some(({ state }) => state === 'ended')
    ? undefined
    : (heartbeats as [HeartbeatInput]);
}

/**
 * Applies heartbeats of one page as one heartbeat with all their intervals, which share the time since the previous heartbeat.
 * Each number counts once, and the intervals of a repeated one earn nothing. Throws visit_not_found.
 */
export function handleHeartbeats(
  found: AttendeeSnapshot,
  heartbeats: Heartbeats,
): RoomChange<HeartbeatOutput> {
  const { attendance, input } = absorb(found, heartbeats);
  return handleHeartbeat({ ...found, attendance }, input);
}

function absorb(
  found: AttendeeSnapshot,
  heartbeats: Heartbeats,
): { attendance: Attendance; input: HeartbeatInput } {
  const { attendance } = found;
  const newest = heartbeats.at(-1)!;
  const visit = findVisit(attendance.visits, newest.visitId);
  if (heartbeats.length === 1 || !visit || !isInSession(attendance, found))
    return { attendance, input: newest };
  const fresh = heartbeats.filter(({ seq }) => countSeq(visit, seq) !== undefined);
  const input = fresh.at(-1);
  if (!input) return { attendance, input: newest };
  let counted = visit;
  for (const { seq } of fresh.slice(0, -1)) counted = countSeq(counted, seq) ?? counted;
  const visits = attendance.visits.map((other) => (other.id === visit.id ? counted : other));
  return {
    attendance: { ...attendance, visits },
    input: { ...input, intervals: fresh.flatMap(({ intervals }) => intervals) },
  };
}

/** Applies a heartbeat. Throws visit_not_found. */
function handleHeartbeat(snapshot: AttendeeSnapshot, input: HeartbeatInput): RoomChange<HeartbeatOutput> {
  if (isOfReplay(snapshot, input.visitId)) return moveInReplay(snapshot, input);
  const led = follow(snapshot);
  return move(led, { ...input, isReplay: false }, applyHeartbeat(led.attendance, input, led));
}

/** The viewer of a replay has a position of their own, and none of their moves is published. */
function moveInReplay(snapshot: AttendeeSnapshot, input: HeartbeatInput): RoomChange<HeartbeatOutput> {
  const replay = inReplay(snapshot, input.visitId);
  const watched = watchReplay(replay.attendance, input, replay);
  const { answer, attendance } = move(replay, { ...input, isReplay: true }, watched);
  return {
    attendance: afterReplay(snapshot, attendance),
    answer: (written) => ({ ...answer(written), positionSeconds: Math.round(input.playheadSeconds) }),
  };
}

/** Applies the last heartbeat of a page that is being closed. Throws visit_not_found. */
export function leave(snapshot: AttendeeSnapshot, input: HeartbeatInput): RoomChange<HeartbeatOutput> {
  if (isOfReplay(snapshot, input.visitId)) return moveInReplay(snapshot, input);
  const led = follow(snapshot);
  return move(led, { ...input, isReplay: false }, applyLeave(led.attendance, input, led));
}

/** Moves the viewer to the segment that the last `advance` of an API-controlled session has set. */
function follow(snapshot: AttendeeSnapshot): AttendeeSnapshot {
  const { session, graph, attendance } = snapshot;
  const { path } = attendance;
  const leadsTo = session.control === 'api' ? session.currentSegmentId : null;
  if (!graph || !path || leadsTo === null || leadsTo === undefined || leadsTo === path.currentId)
    return snapshot;
  if (graph.segments.every(({ id }) => id !== leadsTo)) return snapshot;
  return { ...snapshot, attendance: { ...attendance, path: enterSegment(path, leadsTo, graph) } };
}

/** At the end of a segment, a viewer without choices moves on at once. */
function move(
  snapshot: AttendeeSnapshot,
  page: { interactionsVersion?: string | undefined; isReplay: boolean },
  { attendance, events, isJoin, segmentEnded }: HeartbeatResult,
): RoomChange<HeartbeatOutput> & { attendance: Attendance } {
  const moved = segmentEnded ? takeNext({ ...snapshot, attendance }) : undefined;
  const after = { ...snapshot, attendance: moved?.attendance ?? attendance };
  const changed = changedInteractions(after, page);
  return {
    attendance: after.attendance,
    events: moved ? [...events, moved.event] : events,
    isJoin,
    answer: () => ({ ...heartbeatOutput(after), ...changed }),
  };
}

function takeNext(
  snapshot: AttendeeSnapshot,
): { attendance: AttendeeSnapshot['attendance']; event: RoomEvent } | undefined {
  const { graph, attendance, registration, session, chatMessages, evaluation, now } = snapshot;
  const { path } = attendance;
  if (!graph || !path || !registration) return undefined;
  const facts = factsOf({
    registration: registration,
    session,
    facts: factsOfAttendance(attendance),
    chatMessages,
  });
  const budget = evaluation.budgetOf(attendance.registrationId);
  const next = nextBranch(graph, path.currentId, { facts, budget });
  budget.finish();
  if (next === undefined || next === 'ask') return undefined;
  return {
    attendance: { ...attendance, path: enterSegment(path, next.toSegmentId, graph) },
    event: branchTaken(next, now),
  };
}
