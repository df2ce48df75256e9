import type { HeartbeatInput } from '../../attendance/heartbeat-input.ts';
import { isInSession } from '../../attendance/departure.ts';
import { countSeq, findVisit } from '../../attendance/visits.ts';
import type { Attendance } from '../../entities/attendance.ts';
import type { RoomChange, AttendeeSnapshot } from '../room-call.ts';
import type { HeartbeatOutput } from '../schemas.ts';
import { handleHeartbeat } from './handle-heartbeat.ts';

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
