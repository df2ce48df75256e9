// The furthest second of the video that somebody can have reached who does not seek.
import type { Session, Webinar } from '@service/webinars';
import type { Attendance } from '../entities/attendance.ts';

interface Place {
  session: Session;
  webinar: Pick<Webinar, 'kind' | 'room'>;
}

/** Since when heartbeats of a live session count. One that runs by the clock may not be stored as started yet. */
export const liveSince = ({
  startsAt,
  actualStartedAt,
}: Pick<Session, 'startsAt' | 'actualStartedAt'>): Date => actualStartedAt ?? startsAt;

/** Whether each viewer has a position of their own. */
export const isOwnPace = ({ session, webinar }: Place): boolean =>
  session.control === 'clock' &&
  (session.kind === 'on_demand' || webinar.kind === 'adaptive' || webinar.room.lateJoin === 'from_start');

/**
 * Where everybody is who watches together. Somebody at their own pace began at the earliest with their first visit, and in each
 * segment of an adaptive webinar at its beginning. A session that the API controls was put to its position at some moment after
 * its start, and plays on from there.
 */
export function furthestPosition(
  { firstVisitAt }: Pick<Attendance, 'firstVisitAt'>,
  { session, webinar, now }: Place & { now: Date },
): number {
  const beganAt = liveSince(session);
  const isLater = isOwnPace({ session, webinar }) && firstVisitAt > beganAt;
  const playedSeconds = Math.floor((now.getTime() - (isLater ? firstVisitAt : beganAt).getTime()) / 1000);
  return playedSeconds + session.positionSeconds;
}
