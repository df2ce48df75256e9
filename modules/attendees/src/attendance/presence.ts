// Whether somebody is still there: until their page was closed and they did not come back, until nothing was heard of them for
// a while, or until the session is over.
import { closingSeconds, statusAt, type Session } from '@service/webinars';
import type { Attendance } from '../entities/attendance.ts';
import type { EventDraft } from '../event/publish-events.ts';

/** How long somebody who closed the page may come back. */
export const leaveGraceSeconds = 60;
/** Without a heartbeat for that long somebody is gone. */
export const silenceSeconds = 90;

interface Presence {
  attendance: Attendance;
  left: EventDraft | undefined;
}

/** A moment from which somebody is gone, and since when they are then. */
interface Departure {
  reason: 'closed' | 'timeout' | 'session_ended';
  dueAt: Date;
  leftAt: Date;
}

export const isPresent = ({ checkAt }: Pick<Attendance, 'checkAt'>): boolean => Boolean(checkAt);

/**
 * Somebody comes in. From here on heartbeats leave checkAt alone, since it is indexed: whoever looks then sees when they were
 * last heard of, and when to look again.
 */
export const join = (attendance: Attendance, now: Date): Attendance => ({
  ...attendance,
  firstJoinedAt: attendance.firstJoinedAt ?? now,
  joinCount: attendance.joinCount + 1,
  leftAt: null,
  checkAt: secondsAfter(now, silenceSeconds),
});

/**
 * Looks after somebody who is in the room: they stay, and checkAt is when to look again, or they have left. The first of the
 * three reasons is the one, however late somebody looks.
 */
export function checkPresence(
  attendance: Attendance,
  { session, now }: { session: Session; now: Date },
): Presence {
  if (!isPresent(attendance)) return { attendance, left: undefined };
  const { reason, dueAt, leftAt } = firstDeparture(attendance, session, now);
  if (dueAt > now) return { attendance: { ...attendance, checkAt: dueAt }, left: undefined };
  const data = {
    leftAt: leftAt.toISOString(),
    reason,
    positionSeconds: attendance.positionSeconds,
    watchedSeconds: attendance.watchedSeconds,
    completionPercent: attendance.completionPercent,
  };
  return {
    attendance: { ...attendance, checkAt: null, leavingAt: null, leftAt },
    left: { type: 'left', occurredAt: now, data },
  };
}

/** Whether heartbeats count: while the session is live, and for those who are there a few seconds longer. */
export function isInSession(
  attendance: Attendance,
  { session, now }: { session: Session; now: Date },
): boolean {
  const status = statusAt(session, now);
  if (status !== 'ended') return status === 'live';
  return isPresent(attendance) && now < secondsAfter(endOf(session) ?? now, closingSeconds);
}

export const secondsAfter = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);

function firstDeparture(
  { leavingAt, lastSeenAt, firstVisitAt }: Attendance,
  session: Session,
  now: Date,
): Departure {
  const heardAt = lastSeenAt ?? firstVisitAt;
  const departures: (Departure | undefined)[] = [
    leavingAt
      ? { reason: 'closed', dueAt: secondsAfter(leavingAt, leaveGraceSeconds), leftAt: leavingAt }
      : undefined,
    { reason: 'timeout', dueAt: secondsAfter(heardAt, silenceSeconds), leftAt: heardAt },
    departureAtEnd(session, now),
  ];
  return departures
    .filter((departure) => departure !== undefined)
    .toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())[0]!;
}

function departureAtEnd(session: Session, now: Date): Departure | undefined {
  const leftAt = endOf(session);
  if (leftAt) return { reason: 'session_ended', dueAt: secondsAfter(leftAt, closingSeconds), leftAt };
  // Nobody knows when it was called off, but it was.
  return session.status === 'cancelled' ? { reason: 'session_ended', dueAt: now, leftAt: now } : undefined;
}

/** When a session ended, or will by the clock. One that the API controls ends when it is told to. */
function endOf({ control, status, closingAt, actualEndedAt, endsAt }: Session): Date | undefined {
  if (actualEndedAt) return actualEndedAt;
  if (status === 'cancelled') return closingAt ? secondsAfter(closingAt, -closingSeconds) : undefined;
  return control === 'clock' || status === 'ended' ? endsAt : undefined;
}
