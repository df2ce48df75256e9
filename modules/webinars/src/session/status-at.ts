import type { Session } from '../entities/session.ts';
import type { SessionStatus } from '../entities/enums.ts';

type Timed = Pick<Session, 'control' | 'status' | 'startsAt' | 'endsAt'>;

/** The status at `now`. For a session with control `clock` it follows from the times, because the stored status can be late. */
export function statusAt({ control, status, startsAt, endsAt }: Timed, now: Date): SessionStatus {
  if (control === 'api' || status === 'ended' || status === 'cancelled') return status;
  if (now < startsAt) return 'scheduled';
  return now < endsAt ? 'live' : 'ended';
}

/**
 * Position of the video in seconds. It does not advance in an API-controlled session. On demand it is 0, because each viewer has
 * their own.
 */
export function positionAt(session: Timed & Pick<Session, 'kind' | 'positionSeconds'>, now: Date): number {
  if (session.control === 'api') return session.positionSeconds;
  if (session.kind === 'on_demand') return 0;
  const sinceStart = Math.floor((now.getTime() - session.startsAt.getTime()) / 1000);
  const lasts = Math.round((session.endsAt.getTime() - session.startsAt.getTime()) / 1000);
  return statusAt(session, now) === 'cancelled' ? 0 : Math.min(Math.max(sinceStart, 0), lasts);
}

/** `statusAt` in SQL, for a session `s`. `now` is a parameter such as `$3`. */
export const statusAtSql = (now: string): string => `
  case when s.control = 'api' or s.status in ('ended', 'cancelled') then s.status
    when ${now}::timestamptz < s.starts_at then 'scheduled'
    when ${now}::timestamptz < s.ends_at then 'live'
    else 'ended' end`;
