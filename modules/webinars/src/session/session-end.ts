import type { Session } from '../entities/session.ts';
import type { SessionKind } from '../entities/enums.ts';
import type { Webinar } from '../entities/webinar.ts';
import { dayMs } from '../schedule/zone.ts';

/** An attendee who registers for an on-demand session in the evening can watch it the next morning. */
const onDemandMs = dayMs;

/** Players are a few seconds behind, so attendees count as present until a few seconds after the end. */
export const closingSeconds = 5;

interface Beginning {
  kind: SessionKind;
  startsAtMs: number;
}

/** The end of a session, in milliseconds since 1970. */
export function sessionEnd(
  { kind, startsAtMs }: Beginning,
  { durationSeconds }: Pick<Webinar, 'durationSeconds'>,
): number {
  const durationMs = durationSeconds * 1000;
  return startsAtMs + (kind === 'on_demand' ? Math.max(durationMs, onDemandMs) : durationMs);
}

/** Times for the clock's work after a session that a call ended. */
export function clearingAfter(
  { kind }: Pick<Session, 'kind'>,
  { attendance }: Pick<Webinar, 'attendance'>,
  endedAt: Date,
): Pick<Session, 'closingAt' | 'noShowAt'> {
  const graceMs = attendance.noShowGraceMinutes * 60_000;
  return {
    closingAt: closingAfter(endedAt),
    noShowAt: kind === 'on_demand' ? null : new Date(endedAt.getTime() + graceMs),
  };
}

/** Time at which attendees who are still in the room count as left. */
export const closingAfter = (endedAt: Date): Date => new Date(endedAt.getTime() + closingSeconds * 1000);
