// The position of an attendee: the live position of the session, or their own.
import { pathState, positionAt, statusAt, type PathState } from '@service/webinars';
import { isOwnPace } from '../attendance/live-position.ts';
import { findVisit } from '../attendance/visits.ts';
import type { Attendance } from '../entities/attendance.ts';
import { attendeeErrors } from '../errors.ts';
import { endedAt } from './phase.ts';
import type { AttendeeSnapshot } from './room-call.ts';
import type { HeartbeatOutput } from './schemas.ts';

type Place = Pick<AttendeeSnapshot, 'session' | 'webinar' | 'attendance' | 'now'>;

/** Position at which the video of a session should play, in seconds. */
export const positionOf = (place: Place): number =>
  isOwnPace(place) ? place.attendance.positionSeconds : positionAt(place.session, place.now);

/**
 * A page that was opened during the session does not turn into a replay: its last heartbeats may be late. One that was opened after the
 * end stays a replay when the replay is no longer available.
 */
export function isOfReplay(snapshot: AttendeeSnapshot, visitId: string): boolean {
  const { session, attendance, now } = snapshot;
  const visit = findVisit(attendance.visits, visitId);
  return (
    visit !== undefined &&
    statusAt(session, now) === 'ended' &&
    visit.startedAtMs >= endedAt(snapshot).getTime()
  );
}

/** The state of a replay, which has a path of its own. Only the newest visit of a replay has one. */
export function inReplay(snapshot: AttendeeSnapshot, visitId: string): AttendeeSnapshot {
  const { attendance } = snapshot;
  const { replayPath } = attendance;
  const path = replayPath?.visitId === visitId ? replayPath.path : null;
  return { ...snapshot, attendance: { ...attendance, path } };
}

/** The attendance after a change of `inReplay(snapshot, visitId)`. The path through the session stays. */
export function afterReplay({ attendance }: AttendeeSnapshot, changed: Attendance): Attendance {
  const { path, replayPath } = attendance;
  const isMoved = replayPath && changed.path && changed.path !== replayPath.path;
  return { ...changed, path, replayPath: isMoved ? { ...replayPath, path: changed.path! } : replayPath };
}

export const pathStateOf = ({ graph, attendance: { path } }: AttendeeSnapshot): PathState | null =>
  graph && path ? pathState(graph, path) : null;

/** Throws session_not_live with the status in its details. */
export function requireLive({ session, now }: AttendeeSnapshot): void {
  const status = statusAt(session, now);
  if (status !== 'live') throw attendeeErrors.session_not_live({ details: { status } });
}

/** The answer to a heartbeat. */
export function heartbeatOutput(snapshot: AttendeeSnapshot): HeartbeatOutput {
  const path = pathStateOf(snapshot);
  return {
    serverNow: snapshot.now.toISOString(),
    status: statusAt(snapshot.session, snapshot.now),
    positionSeconds: positionOf(snapshot),
    watchedSeconds: snapshot.attendance.watchedSeconds,
    completionPercent: snapshot.attendance.completionPercent,
    ...(path && { path }),
  };
}
