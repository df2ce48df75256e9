import { type AccountReader, column, statement } from '@service/database';
import type { z } from 'zod';
import { type SessionKind, sessionKinds } from '../entities/enums.ts';
import type { Webinar } from '../entities/webinar.ts';
import { justInTimeStarts, onDemandStart } from '../schedule/just-in-time.ts';
import { occurrencesAfter } from '../schedule/occurrences.ts';
import { dayMs } from '../schedule/zone.ts';
import { sessionEnd } from '../entities/session.ts';
import type { PreviewSlotsInput } from './schemas.ts';

/** A start that attendees can book. */
interface Slot {
  kind: SessionKind;
  startsAt: Date;
  endsAt: Date;
  /** Null if the session does not exist yet. */
  sessionId: string | null;
  /** Registrations that are not cancelled. */
  registeredCount: number;
}

type Reader = Pick<AccountReader, 'query' | 'accountId' | 'now'>;

type PlannedWebinar = Pick<Webinar, 'schedule' | 'timezone' | 'durationSeconds'>;
type OfferingWebinar = PlannedWebinar & Pick<Webinar, 'id'>;

/** Occurrences computed beyond the limit, because some of their sessions may be cancelled. */
const spare = 20;
const nearestCount = 3;
const lookBackMs = 35 * dayMs;

/** The starts that attendees can book, soonest first. */
export async function offeredSlots(reader: Reader, webinar: OfferingWebinar, limit: number): Promise<Slot[]> {
  const nowMs = reader.now.getTime();
  const computed = startsFrom(webinar, nowMs, limit + spare);
  const slots = await withSessions(reader, webinar, { computed, near: reader.now, limit });
  return slots.slice(0, limit);
}

/** The starts that a schedule offers, as if none of its sessions existed, soonest first. */
export function computeSlots(webinar: PlannedWebinar, nowMs: number, limit: number): Slot[] {
  return onePerStart(startsFrom(webinar, nowMs, limit).map((start) => toSlot(start, webinar))).slice(
    0,
    limit,
  );
}

/** The three bookable starts nearest to `near`, nearest first, ISO 8601. */
export async function nearestTimes(reader: Reader, webinar: OfferingWebinar, near: Date): Promise<string[]> {
  const nowMs = reader.now.getTime();
  const computed = [
    ...occurrencesAround(webinar, { nowMs, nearMs: near.getTime() }).map(scheduledAt),
    ...spontaneous(webinar, nowMs),
  ];
  const slots = await withSessions(reader, webinar, { computed, near, limit: nearestCount });
  const distance = ({ startsAt }: Slot): number => Math.abs(startsAt.getTime() - near.getTime());
  return slots
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, nearestCount)
    .map((slot) => slot.startsAt.toISOString());
}

interface Computed {
  kind: SessionKind;
  startsAtMs: number;
}

const toSlot = ({ kind, startsAtMs }: Computed, webinar: PlannedWebinar): Slot => ({
  kind,
  startsAt: new Date(startsAtMs),
  endsAt: new Date(sessionEnd({ kind, startsAtMs }, webinar)),
  sessionId: null,
  registeredCount: 0,
});

const scheduledAt = (startsAtMs: number): Computed => ({ kind: 'scheduled', startsAtMs });

/** The starts of the next occurrences, and those that can be booked now. */
const startsFrom = (webinar: PlannedWebinar, nowMs: number, occurrencesMax: number): Computed[] => [
  ...occurrencesAfter(webinar, nowMs)
    .take(occurrencesMax)
    .map(({ startsAtMs }) => scheduledAt(startsAtMs)),
  ...spontaneous(webinar, nowMs),
];

/** Just-in-time and on-demand starts that can be booked now. */
function spontaneous({ schedule, timezone }: PlannedWebinar, nowMs: number): Computed[] {
  const starts = justInTimeStarts(schedule, timezone, nowMs);
  const slots: Computed[] = starts.map((startsAtMs) => ({ kind: 'just_in_time', startsAtMs }));
  return schedule.onDemand ? [...slots, { kind: 'on_demand', startsAtMs: onDemandStart(nowMs) }] : slots;
}

/** The next occurrences from now, and the nearest ones before and after `nearMs`. */
function occurrencesAround(
  webinar: OfferingWebinar,
  { nowMs, nearMs }: { nowMs: number; nearMs: number },
): number[] {
  const next = [...occurrencesAfter(webinar, nowMs).take(nearestCount)];
  const before: number[] = [];
  const after: number[] = [];
  for (const { startsAtMs } of occurrencesAfter(webinar, Math.max(nowMs, nearMs - lookBackMs))) {
    (startsAtMs < nearMs ? before : after).push(startsAtMs);
    if (after.length === nearestCount + spare) break;
  }
  const around = [...before.slice(-nearestCount - spare), ...after];
  return [...new Set([...next.map(({ startsAtMs }) => startsAtMs), ...around])];
}

// Must agree with isBookable in book-session.ts, which takes a start for a minute longer.
const isBookable = `case when s.kind = 'scheduled'
      then s.status = 'scheduled' and (s.control = 'api' or s.starts_at > $3)
      else s.status in ('scheduled', 'live') end`;

/** $1 account, $2 webinar, $3 now, $4 the time that is searched near, $5 limit of these, $6 the computed starts. */
const selectSessions = statement({
  name: 'webinars.select_offered_sessions',
  text: `
    (select s.id, s.kind, true as is_bookable, s.starts_at, s.ends_at, s.registered_count from webinars.session s
     where s.account_id = $1 and s.webinar_id = $2 and s.kind = 'scheduled' and ${isBookable}
     order by abs(extract(epoch from s.starts_at - $4::timestamptz)) limit $5)
    union
    select s.id, s.kind, ${isBookable}, s.starts_at, s.ends_at, s.registered_count
    from jsonb_to_recordset($6::jsonb) as c (kind text, "startsAt" timestamptz)
    join webinars.session s
      on s.account_id = $1 and s.webinar_id = $2 and s.kind = c.kind and s.starts_at = c."startsAt"`,
  row: {
    id: column.id,
    kind: column.textOf<SessionKind>(),
    is_bookable: column.boolean,
    starts_at: column.time,
    ends_at: column.time,
    registered_count: column.integer,
  },
});

/** Combines computed starts with their existing sessions, and adds the existing sessions nearest to `near`. Sorted by start. */
async function withSessions(
  { query, accountId, now }: Reader,
  webinar: OfferingWebinar,
  { computed, near, limit }: { computed: readonly Computed[]; near: Date; limit: number },
): Promise<Slot[]> {
  const instants = computed.map(({ kind, startsAtMs }) => ({ kind, startsAt: new Date(startsAtMs) }));
  const values = [accountId, webinar.id, now, near, limit, JSON.stringify(instants)];
  const rows = await query(selectSessions, values);
  const found = new Set(rows.map((row) => `${row.kind} ${row.starts_at.getTime()}`));
  const missing = computed.filter(({ kind, startsAtMs }) => !found.has(`${kind} ${startsAtMs}`));
  const slots: Slot[] = [
    ...rows
      .filter((row) => row.is_bookable)
      .map((row) => ({
        kind: row.kind,
        startsAt: row.starts_at,
        endsAt: row.ends_at,
        sessionId: row.id,
        registeredCount: row.registered_count,
      })),
    ...missing.map((start) => toSlot(start, webinar)),
  ];
  return onePerStart(slots);
}

/** Sorts by start. Of several kinds with the same start, keeps the one that booking prefers. */
function onePerStart(slots: readonly Slot[]): Slot[] {
  const rank = ({ kind }: Slot): number => sessionKinds.indexOf(kind);
  const sorted = slots.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || rank(a) - rank(b));
  return sorted.filter((slot, index) => slot.startsAt.getTime() !== sorted[index - 1]?.startsAt.getTime());
}

/**
 * The starts that pages offer: the next `slotsShown` with free places, and the full ones before them. At most 20. The on-demand
 * start of this minute is one more.
 */
export async function publicSlots(reader: Reader, webinar: Webinar): Promise<(Slot & { isFull: boolean })[]> {
  const { schedule, registrationForm } = webinar;
  const { capacityPerSession: capacity } = registrationForm;
  const slots = (await offeredSlots(reader, webinar, slotsMax)).map((slot) => ({
    ...slot,
    isFull: capacity !== null && slot.registeredCount >= capacity,
  }));
  const freeMax = schedule.slotsShown + (schedule.onDemand ? 1 : 0);
  const last = slots.filter(({ isFull }) => !isFull)[freeMax - 1];
  return last ? slots.slice(0, slots.indexOf(last) + 1) : slots;
}

const selectCancelled = statement({
  name: 'webinars.select_cancelled_session',
  text: `
    select id from webinars.session
    where account_id = $1 and webinar_id = $2 and kind = 'scheduled' and status = 'cancelled' and ends_at > $3 limit 1`,
  row: { id: column.id },
});

/** True if a session was cancelled that would not have ended yet. */
export async function hasCancelledSession(
  { query, accountId, now }: Reader,
  webinarId: string,
): Promise<boolean> {
  return (await query(selectCancelled, [accountId, webinarId, now])).length > 0;
}

const slotsMax = 20;

/**
 * The starts that a schedule would offer, soonest first, without the database: sessions that were moved or cancelled are not
 * considered. The search is limited to five years, as for every schedule.
 */
export const previewSlots = (planned: z.output<typeof PreviewSlotsInput>, now: Date): Slot[] =>
  computeSlots(planned, now.getTime(), slotsMax);
