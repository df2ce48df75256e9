// Where somebody is: in a room that everybody watches together, or at their own pace.
import { pathState, positionAt, statusAt, type PathState } from '@service/webinars';
import { isOwnPace } from '../attendance/live-position.ts';
import { attendeeErrors } from '../errors.ts';
import type { Scene } from './scene.ts';
import type { HeartbeatOutput } from './schemas.ts';

type Place = Pick<Scene, 'session' | 'webinar' | 'attendance' | 'now'>;

/** Where the video should be, in seconds. */
export const positionOf = (place: Place): number =>
  isOwnPace(place) ? place.attendance.positionSeconds : positionAt(place.session, place.now);

export const pathStateOf = ({ graph, attendance: { path } }: Scene): PathState | null =>
  graph && path ? pathState(graph, path) : null;

/** Throws session_not_live, which says what it is instead. */
export function requireLive({ session, now }: Scene): void {
  const status = statusAt(session, now);
  if (status !== 'live') throw attendeeErrors.session_not_live({ details: { status } });
}

/** What a heartbeat is answered: where the viewer should be, and what is known of them. */
export const standing = (scene: Scene): HeartbeatOutput => ({
  serverNow: scene.now.toISOString(),
  status: statusAt(scene.session, scene.now),
  positionSeconds: positionOf(scene),
  watchedSeconds: scene.attendance.watchedSeconds,
  completionPercent: scene.attendance.completionPercent,
  ...(scene.graph && { path: pathStateOf(scene) }),
});
