// The position of an attendee: the live position of the session, or their own.
import { pathState, positionAt, statusAt, type PathState } from '@service/webinars';
import { isOwnPace } from '../attendance/live-position.ts';
import { attendeeErrors } from '../errors.ts';
import type { Scene } from './scene.ts';
import type { HeartbeatOutput } from './schemas.ts';

type Place = Pick<Scene, 'session' | 'webinar' | 'attendance' | 'now'>;

/** Position at which the video should play, in seconds. */
export const positionOf = (place: Place): number =>
  isOwnPace(place) ? place.attendance.positionSeconds : positionAt(place.session, place.now);

export const pathStateOf = ({ graph, attendance: { path } }: Scene): PathState | null =>
  graph && path ? pathState(graph, path) : null;

/** Throws session_not_live with the status in its details. */
export function requireLive({ session, now }: Scene): void {
  const status = statusAt(session, now);
  if (status !== 'live') throw attendeeErrors.session_not_live({ details: { status } });
}

/** The answer to a heartbeat. */
export const standing = (scene: Scene): HeartbeatOutput => ({
  serverNow: scene.now.toISOString(),
  status: statusAt(scene.session, scene.now),
  positionSeconds: positionOf(scene),
  watchedSeconds: scene.attendance.watchedSeconds,
  completionPercent: scene.attendance.completionPercent,
  ...(scene.graph && { path: pathStateOf(scene) }),
});
