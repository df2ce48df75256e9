// The parts of a heartbeat that can be true: seconds of the video that exist and had been shown.
import type { PathSegment, Webinar } from '@service/webinars';
import type { Attendance } from '../entities/attendance.ts';
import type { HeartbeatInput } from './heartbeat-input.ts';
import type { BeatScene } from './heartbeat.ts';
import { furthestPosition } from './live-position.ts';
import type { Range } from './watched.ts';

/** How far ahead of the live position a player may be. */
const leadSeconds = 5;

/** The whole seconds that a heartbeat says were played, as far as they can have been. */
export function claimsOf(beat: HeartbeatInput, attendance: Attendance, scene: BeatScene): Range[] {
  const { offsetSeconds, durationSeconds } = placeOf(beat, attendance, scene.webinar);
  const end = Math.min(durationSeconds, playableEnd(attendance, scene));
  return beat.intervals.map(([from, to]) => [
    offsetSeconds + Math.round(from),
    offsetSeconds + Math.min(Math.round(to), end),
  ]);
}

/** The last second that a player may have shown; infinite where viewers may seek. */
function playableEnd(attendance: Attendance, { session, webinar, now }: BeatScene): number {
  if (webinar.room.seekAllowed) return Number.POSITIVE_INFINITY;
  return furthestPosition(attendance, { session, webinar, now }) + leadSeconds;
}

/** Where what was played lies in the viewer's timeline; a segment they have never been in has no room there. */
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
