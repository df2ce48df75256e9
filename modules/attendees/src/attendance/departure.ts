// Presence of attendees. An attendee leaves when the page was closed for 60 s, after 90 s without a heartbeat, or at the end of
// the session.
import { closingSeconds, statusAt, type Session } from '@service/webinars';
import type { Attendance, Presence } from '../entities/attendance.ts';
import type { EventDraft } from '../event/publish-events.ts';

/** Time in which an attendee who closed the page can come back. */
export const leaveGraceSeconds = 60;
/** An attendee without a heartbeat for this time has left. */
export const silenceSeconds = 90;

interface Check<Checked extends Presence> {
  attendance: Checked;
  left: EventDraft | undefined;
}

/** At `dueAt` the attendee counts as left, and `leftAt` is the time stored. */
interface Departure {
  reason: 'closed' | 'timeout' | 'session_ended';
  dueAt: Date;
  leftAt: Date;
}

export const isPresent = ({ checkAt }: Pick<Attendance, 'checkAt'>): boolean => Boolean(checkAt);

/**
 * The attendee enters the room. Later heartbeats do not change checkAt, because it is indexed. The presence check at that time
 * reads lastSeenAt and sets the next check.
 */
export const join = (attendance: Attendance, now: Date): Attendance => ({
  ...attendance,
  firstJoinedAt: attendance.firstJoinedAt ?? now,
  joinCount: attendance.joinCount + 1,
  leftAt: null,
  checkAt: secondsAfter(now, silenceSeconds),
});

/**
 * Checks an attendee who is in the room: either sets checkAt to the next check, or returns a `left` event. The earliest of the
 * three reasons counts, even if the check is late.
 */
export function checkDeparture<Checked extends Presence>(
  attendance: Checked,
  { session, now }: { session: Session; now: Date },
): Check<Checked> {
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

/** Heartbeats count while the session is live, and a few seconds longer for attendees who are in the room. */
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
  { leavingAt, lastSeenAt, firstVisitAt }: Presence,
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
  // The time of the cancellation is not stored, so now counts.
  return session.status === 'cancelled' ? { reason: 'session_ended', dueAt: now, leftAt: now } : undefined;
}

/** The end of a session, past or planned. Undefined for an API-controlled session that has not ended. */
function endOf({ control, status, closingAt, actualEndedAt, endsAt }: Session): Date | undefined {
  if (actualEndedAt) return actualEndedAt;
  if (status === 'cancelled') return closingAt ? secondsAfter(closingAt, -closingSeconds) : undefined;
  return control === 'clock' || status === 'ended' ? endsAt : undefined;
}
