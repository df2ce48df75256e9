// The position of an attendee: the live position of the session, or their own.
import { pathState, positionAt, statusAt, type PathState } from '@service/webinars';
import { isOwnPace } from '../attendance/live-position.ts';
import type { Attendance } from '../entities/attendance.ts';
import { attendeeErrors } from '../errors.ts';
import type { AttendeeSnapshot } from './room-call.ts';
import type { HeartbeatOutput } from './schemas.ts';

type Place = Pick<AttendeeSnapshot, 'session' | 'webinar' | 'attendance' | 'now'>;

/** Position at which the video of a session should play, in seconds. */
export const positionOf = (place: Place): number =>
  isOwnPace(place) ? place.attendance.positionSeconds : positionAt(place.session, place.now);

/** The state of a replay, which has a path of its own. */
export const inReplay = (snapshot: AttendeeSnapshot): AttendeeSnapshot => ({
  ...snapshot,
  attendance: { ...snapshot.attendance, path: snapshot.attendance.replayPath },
});

/** The attendance after a change of `inReplay(snapshot)`. The path through the session stays. */
export const afterReplay = ({ attendance: { path } }: AttendeeSnapshot, changed: Attendance): Attendance => ({
  ...changed,
  path,
  replayPath: changed.path,
});

export const pathStateOf = ({ graph, attendance: { path } }: AttendeeSnapshot): PathState | null =>
  graph && path ? pathState(graph, path) : null;

/** Throws session_not_live with the status in its details. */
export function requireLive({ session, now }: AttendeeSnapshot): void {
  const status = statusAt(session, now);
  if (status !== 'live') throw attendeeErrors.session_not_live({ details: { status } });
}

/** The answer to a heartbeat. */
export const heartbeatOutput = (snapshot: AttendeeSnapshot): HeartbeatOutput => ({
  serverNow: snapshot.now.toISOString(),
  status: statusAt(snapshot.session, snapshot.now),
  positionSeconds: positionOf(snapshot),
  watchedSeconds: snapshot.attendance.watchedSeconds,
  completionPercent: snapshot.attendance.completionPercent,
  ...(snapshot.graph && { path: pathStateOf(snapshot) }),
});
