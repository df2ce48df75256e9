import { entityRow } from '@service/database';
import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { dayMs } from '../schedule/zone.ts';
import {
  sessionControls,
  type SessionKind,
  sessionKinds,
  type SessionStatus,
  sessionStatuses,
} from './enums.ts';
import type { Webinar } from './webinar.ts';

/** One run of a webinar. A webinar has at most one session of each kind per start. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  schema: 'webinars',
  uniques: [
    {
      name: 'session_webinar_kind_starts_at_unique',
      properties: ['accountId', 'webinarId', 'kind', 'startsAt'],
    },
  ],
  indexes: [
    { name: 'session_webinar_index', properties: ['accountId', 'webinarId', 'id'] },
    {
      name: 'session_account_start_index',
      properties: ['accountId', 'startsAt', 'id'],
      where: `status in ('scheduled', 'live') and kind <> 'on_demand'`,
    },
    // The next session of a webinar. Without it a list of webinars would read all coming sessions of the account for each of them.
    {
      name: 'session_next_index',
      properties: ['accountId', 'webinarId', 'startsAt'],
      where: `kind = 'scheduled' and status = 'scheduled'`,
    },
    // The session clock searches all accounts with these indexes.
    {
      name: 'session_start_index',
      properties: ['startsAt'],
      where: `control = 'clock' and status = 'scheduled'`,
    },
    { name: 'session_end_index', properties: ['endsAt'], where: `control = 'clock' and status = 'live'` },
    { name: 'session_closing_index', properties: ['closingAt'], where: 'closing_at is not null' },
    { name: 'session_no_show_index', properties: ['noShowAt'], where: 'no_show_at is not null' },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    kind: p.enum(sessionKinds),
    control: p.enum(sessionControls),
    /** For a session with control `clock` it can be out of date: see statusAt. */
    status: p.enum(sessionStatuses),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3),
    actualStartedAt: p.datetime(3).nullable(),
    actualEndedAt: p.datetime(3).nullable(),
    timezone: p.text(),
    /** Recurrence that the session comes from. Null for other sessions. */
    recurrenceKey: p.text().nullable(),
    /** Position set by the last `seek` of an API-controlled session. */
    positionSeconds: p.integer(),
    /** Segment set by the last `advance` of an API-controlled session. */
    currentSegmentId: p.uuid().nullable(),
    /** Time at which attendees who are still in the room count as left. Null before the end and after that is done. */
    closingAt: p.datetime(3).nullable(),
    /** Time at which absent attendees become no-shows. Null before the end and after that is done. */
    noShowAt: p.datetime(3).nullable(),
    /** Registrations that are not cancelled; see places.ts. */
    registeredCount: p.integer().default(0),
    /** True if any registration refers to it, also a cancelled one. Then the row must stay. */
    wasBooked: p.boolean().default(false),
    createdAt: p.datetime(3),
  },
});

export type Session = InferEntity<typeof Session>;

export const sessionRow = entityRow(Session);

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
