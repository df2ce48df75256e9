import { enterSegment, nextBranch } from '@service/webinars';
import { factsOf } from '../../attendance/facts.ts';
import type { HeartbeatInput } from '../../attendance/heartbeat-input.ts';
import { applyHeartbeat, applyLeave, type HeartbeatResult } from '../../attendance/heartbeat.ts';
import { factsOfAttendance } from '../../entities/attendance.ts';
import type { RoomChange, RoomEvent, AttendeeSnapshot } from '../room-call.ts';
import type { HeartbeatOutput } from '../schemas.ts';
import { heartbeatOutput } from '../attendee-state.ts';
import { branchTaken } from './take-branch.ts';

/** Applies a heartbeat. Throws visit_not_found. */
export function handleHeartbeat(
  snapshot: AttendeeSnapshot,
  input: HeartbeatInput,
): RoomChange<HeartbeatOutput> {
  const led = follow(snapshot);
  return move(led, applyHeartbeat(led.attendance, input, led));
}

/** Applies the last heartbeat of a page that is being closed. Throws visit_not_found. */
export function leave(snapshot: AttendeeSnapshot, input: HeartbeatInput): RoomChange<HeartbeatOutput> {
  const led = follow(snapshot);
  return move(led, applyLeave(led.attendance, input, led));
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
  { attendance, events, isJoin, segmentEnded }: HeartbeatResult,
): RoomChange<HeartbeatOutput> {
  const moved = segmentEnded ? takeNext({ ...snapshot, attendance }) : undefined;
  const after = { ...snapshot, attendance: moved?.attendance ?? attendance };
  return {
    attendance: after.attendance,
    events: moved ? [...events, moved.event] : events,
    isJoin,
    answer: () => heartbeatOutput(after),
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
