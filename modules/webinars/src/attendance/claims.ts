// What of a heartbeat can be true: nobody has watched what there was no time for, or what had not been shown yet.
import type { HeartbeatInput } from '../room/schemas.ts';
import type { Webinar } from '../webinar/webinar.ts';
import type { Attendance } from './attendance.ts';
import type { BeatScene } from './heartbeat.ts';
import type { PathSegment } from './path.ts';
import type { Visit } from './visits.ts';
import type { Range } from './watched.ts';

/** Clocks and timers are late by that much. */
const toleranceSeconds = 2;
/** How far ahead of the simulated live a player may be. */
const leadSeconds = 5;

/** The whole seconds that a heartbeat says were played, as far as they can have been. */
export function claimsOf(beat: HeartbeatInput, attendance: Attendance, scene: BeatScene): Range[] {
  const { offsetSeconds, durationSeconds } = placeOf(beat, attendance, scene.webinar);
  const end = Math.min(durationSeconds, liveEdge(attendance, scene));
  return beat.intervals.map(([from, to]) => [
    offsetSeconds + Math.round(from),
    offsetSeconds + Math.min(Math.round(to), end),
  ]);
}

/** Nobody watches more than there was time for: not in this page, and not in all of theirs together. */
export function budgetOf(
  { firstVisitAt, watchedSeconds }: Attendance,
  { startedAtMs, creditedSeconds }: Visit,
  now: Date,
): number {
  const inVisit = Math.floor((now.getTime() - startedAtMs) / 1000) - creditedSeconds;
  const inAll = Math.floor((now.getTime() - firstVisitAt.getTime()) / 1000) - watchedSeconds;
  return Math.min(inVisit, inAll) + toleranceSeconds;
}

/** Where the clock is that nobody can be ahead of; infinite for who watches at their own pace. */
function liveEdge({ path }: Attendance, { session, webinar, now }: BeatScene): number {
  const { lateJoin, seekAllowed } = webinar.room;
  const isTogether = session.control === 'clock' && session.kind !== 'on_demand' && !path;
  if (!isTogether || seekAllowed || lateJoin === 'from_start') return Number.POSITIVE_INFINITY;
  return Math.floor((now.getTime() - session.startsAt.getTime()) / 1000) + leadSeconds;
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
