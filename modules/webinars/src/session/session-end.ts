import type { Session, SessionKind } from '../entities/session.ts';
import type { Webinar } from '../entities/webinar.ts';
import { dayMs } from '../schedule/zone.ts';

/** Somebody who registers for an on-demand session in the evening may watch it the next morning. */
const onDemandMs = dayMs;

/** Players are a few seconds behind: who watches to the very end still counts as there. */
export const closingSeconds = 5;

interface Beginning {
  kind: SessionKind;
  startsAtMs: number;
}

/** When a session is over, in milliseconds since 1970. */
export function sessionEnd(
  { kind, startsAtMs }: Beginning,
  { durationSeconds }: Pick<Webinar, 'durationSeconds'>,
): number {
  const durationMs = durationSeconds * 1000;
  return startsAtMs + (kind === 'on_demand' ? Math.max(durationMs, onDemandMs) : durationMs);
}

/** When a session that ended by a call is to be cleared up after. */
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

/** When those who are still in the room are to be counted as gone. */
export const closingAfter = (endedAt: Date): Date => new Date(endedAt.getTime() + closingSeconds * 1000);
