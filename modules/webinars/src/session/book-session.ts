import { type AccountWriter, statement } from '@service/database';
import { type Session, sessionRow } from '../entities/session.ts';
import { type SessionKind, sessionKinds } from '../entities/enums.ts';
import type { Webinar } from '../entities/webinar.ts';
import { isOnDemandStart, justInTimeStarts, onDemandStart } from '../schedule/just-in-time.ts';
import { occurrenceAt } from '../schedule/occurrences.ts';
import { draftToRow, insertSessions, recurrenceKey, type SessionDraft } from './insert-sessions.ts';
import { nearestTimes } from './offered-slots.ts';

export type Booking = { kind: 'booked'; session: Session } | { kind: 'unavailable'; nearest: string[] };

interface BookingRequest {
  /** Undefined means the current minute of an on-demand webinar. */
  sessionTime: Date | undefined;
  /** The sessions at that time, if the caller has read them. */
  known?: readonly Session[] | undefined;
}

/**
 * A start can be booked for this time after it was last offered, because people take time to fill in a form. Not if the room closes at
 * the start or a minute after it: a person with such a booking could not enter.
 */
const graceMs = 60_000;

/**
 * Finds the session that starts at exactly this time, or makes it if the schedule offers the time. Otherwise returns the three
 * nearest offered times (ISO 8601, nearest first). The caller has locked the webinar with shareOpenWebinar. createBooker books
 * many people at once. Throws session_full.
 */
export async function bookSession(
  tx: AccountWriter,
  webinar: Webinar,
  { sessionTime, known }: BookingRequest,
): Promise<Booking> {
  const kinds = sessionTime ? kindsAt(webinar, sessionTime, tx.now) : (['on_demand'] as const);
  const startsAt = sessionTime ?? currentMinute(tx, webinar);
  const session = startsAt && (await sessionAt(tx, webinar, { startsAt, kinds, known }));
  if (session) return { kind: 'booked', session };
  return { kind: 'unavailable', nearest: await nearestTimes(tx, webinar, sessionTime ?? tx.now) };
}

const currentMinute = ({ now }: AccountWriter, { schedule }: Webinar): Date | undefined =>
  schedule.onDemand ? new Date(onDemandStart(now.getTime())) : undefined;

async function sessionAt(
  tx: AccountWriter,
  webinar: Webinar,
  { startsAt, kinds, known }: Start & Pick<BookingRequest, 'known'>,
): Promise<Session | undefined> {
  const there = known ?? (await sessionsAt(tx, webinar.id, startsAt));
  const bookable = there.find(
    (session) => kinds.includes(session.kind) && isBookable(session, webinar, tx.now),
  );
  if (bookable) return bookable;
  const offered = draftsAt(webinar, { kinds, startsAt, now: tx.now });
  const draft = offered.find(({ kind }) => !there.some((session) => session.kind === kind));
  if (!draft) return undefined;
  await insertSessions(tx, [draftToRow(webinar, draft)]);
  const made = await sessionsAt(tx, webinar.id, startsAt);
  return made.find((session) => session.kind === draft.kind);
}

interface Start {
  startsAt: Date;
  /** The kinds of session that the booking accepts, the preferred one first. */
  kinds: readonly SessionKind[];
}

/** The kinds that a booking of this time accepts. */
function kindsAt(webinar: Webinar, startsAt: Date, now: Date): SessionKind[] {
  const { schedule, timezone } = webinar;
  const startsAtMs = startsAt.getTime();
  const isJustInTime = [now, graceBefore(webinar, now)].some((at) =>
    justInTimeStarts(schedule, timezone, at.getTime()).includes(startsAtMs),
  );
  const isOnDemand = schedule.onDemand && isOnDemandStart(startsAtMs, now.getTime());
  return [
    'scheduled',
    ...(isJustInTime ? ['just_in_time' as const] : []),
    ...(isOnDemand ? ['on_demand' as const] : []),
  ];
}

const graceBefore = ({ room: { lateJoin, lateCutoffMinutes } }: Webinar, now: Date): Date =>
  lateJoin === 'closed' || lateCutoffMinutes === 1 ? now : new Date(now.getTime() - graceMs);

/** Scheduled sessions can be booked until a minute after their start, API-controlled ones until a call starts them. */
function isBookable({ kind, control, status, startsAt }: Session, webinar: Webinar, now: Date): boolean {
  if (kind === 'scheduled' && control === 'api') return status === 'scheduled';
  const isOpen = status === 'scheduled' || status === 'live';
  return isOpen && (kind !== 'scheduled' || startsAt > graceBefore(webinar, now));
}

/** The sessions that can be made for this time, the preferred one first. */
function draftsAt(webinar: Webinar, { startsAt, kinds, now }: Start & { now: Date }): SessionDraft[] {
  const startsAtMs = startsAt.getTime();
  const occurrence = startsAt > now ? occurrenceAt(webinar, startsAtMs) : undefined;
  return kinds
    .filter((kind) => kind !== 'scheduled' || occurrence)
    .map((kind) => ({
      kind,
      control: 'clock',
      startsAtMs,
      recurrenceKey: kind === 'scheduled' ? recurrenceKey(occurrence!.recurrence) : null,
    }));
}

const selectAt = statement({
  name: 'webinars.select_sessions_at',
  text: `
    select * from webinars.session
    where account_id = $1 and webinar_id = $2 and starts_at = any($3::timestamptz[])
      and kind in ('scheduled', 'just_in_time', 'on_demand')`,
  row: sessionRow.columns,
});

const sessionsAt = async (tx: AccountWriter, webinarId: string, startsAt: Date): Promise<Session[]> =>
  (await findSessionsAt(tx, webinarId, [startsAt])).get(startsAt.getTime())!;

/** The sessions at each of these times, by the milliseconds of the time; the one that a booking prefers first. */
export async function findSessionsAt(
  { query, accountId }: AccountWriter,
  webinarId: string,
  times: readonly Date[],
): Promise<Map<number, Session[]>> {
  const byTime = new Map(times.map((time): [number, Session[]] => [time.getTime(), []]));
  if (byTime.size === 0) return byTime;
  const rows = await query(selectAt, [
    accountId,
    webinarId,
    [...byTime.keys()].map((time) => new Date(time)),
  ]);
  const sessions = rows
    .map(sessionRow.toEntity)
    .toSorted((a, b) => sessionKinds.indexOf(a.kind) - sessionKinds.indexOf(b.kind));
  for (const session of sessions) byTime.get(session.startsAt.getTime())!.push(session);
  return byTime;
}
