// The furthest second of the video that an attendee can have reached without seeking.
import type { Session, Webinar } from '@service/webinars';
import type { Attendance } from '../entities/attendance.ts';

interface Place {
  session: Session;
  webinar: Pick<Webinar, 'kind' | 'room'>;
}

/** Time from which heartbeats of a live session count. The clock can be late with storing actualStartedAt. */
export const liveSince = ({
  startsAt,
  actualStartedAt,
}: Pick<Session, 'startsAt' | 'actualStartedAt'>): Date => actualStartedAt ?? startsAt;

/** True if each viewer has a position of their own. */
export const isOwnPace = ({ session, webinar }: Place): boolean =>
  session.control === 'clock' &&
  (session.kind === 'on_demand' || webinar.kind === 'adaptive' || webinar.room.lateJoin === 'from_start');

/**
 * The furthest position in seconds. If all attendees watch together, it is the live position. An attendee at their own pace
 * started at the first visit at the earliest, and each segment of an adaptive webinar at its beginning. An API-controlled session
 * plays on from the position that a call has set at some time after the start.
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
