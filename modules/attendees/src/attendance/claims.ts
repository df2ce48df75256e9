// Limits the intervals of a heartbeat to seconds that the video has and that a player can have shown.
import type { PathSegment, Webinar } from '@service/webinars';
import type { Attendance } from '../entities/attendance.ts';
import type { HeartbeatInput } from './heartbeat-input.ts';
import type { HeartbeatContext } from './heartbeat.ts';
import { furthestPosition } from './live-position.ts';
import type { Range } from './watched.ts';

/** Seconds that a player may be ahead of the live position. */
const leadSeconds = 5;

/** The intervals of a heartbeat in whole seconds, without the part that cannot have been played yet. */
export function claimsOf(beat: HeartbeatInput, attendance: Attendance, snapshot: HeartbeatContext): Range[] {
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
export function placeOf(
  { segmentId }: HeartbeatInput,
  { path }: Attendance,
  { durationSeconds }: Webinar,
): Pick<PathSegment, 'offsetSeconds' | 'durationSeconds'> {
  if (!path) return { offsetSeconds: 0, durationSeconds };
  const id = segmentId ?? path.currentId;
  const segment = path.segments.find((segment) => segment.segmentId === id);
  return segment ?? { offsetSeconds: 0, durationSeconds: 0 };
}
