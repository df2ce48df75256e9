// Days, weeks and months of a workspace. A day begins at the first instant at which the clocks of its time zone show its midnight, or
// skip it.
import type { Period } from '@service/catalogue';
import type { AccountQueries } from '@service/database';
import { commonErrors } from '@service/errors';
import { backwardsText, endsAfterItBegins, isDay } from '@service/trpc';
import { fromWall, toWall } from '@service/webinars';

/** Reads the IANA time zone of the workspace. Given to the module by the composition. */
export type TimeZoneReader = (reader: AccountQueries) => Promise<string>;

export interface TimeRange {
  from: Date;
  /** Exclusive. */
  to: Date;
}

export const dayMs = 86_400_000;

const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Times that answers and ids can have. */
const storableTime = (ms: number): Date => new Date(Math.min(Math.max(ms, 0), latestMs));

/** The instant at which `from` begins: a day of the zone, or a time with its offset. */
export const startOf = (from: string, timeZone: string): Date =>
  isDay(from) ? storableTime(fromWall(timeZone, Date.parse(from))) : new Date(from);

/** The instant at which `to` ends: the end of a day of the zone, or a time with its offset. */
export const endOf = (to: string, timeZone: string): Date =>
  isDay(to) ? storableTime(fromWall(timeZone, Date.parse(to) + dayMs)) : new Date(to);

/** The end of the day of the zone that has this instant. */
export const endOfDayAt = (time: Date, timeZone: string): Date =>
  storableTime(fromWall(timeZone, startOfWallDay(toWall(timeZone, time.getTime())) + dayMs));

/** The instant that is `days` days of the zone earlier, at the same time of day. */
export const daysBefore = (time: Date, days: number, timeZone: string): Date =>
  storableTime(fromWall(timeZone, toWall(timeZone, time.getTime()) - days * dayMs));

/** Days of the zone between two instants, with their fractions. */
export const daysBetween = ({ from, to }: TimeRange, timeZone: string): number =>
  (toWall(timeZone, to.getTime()) - toWall(timeZone, from.getTime())) / dayMs;

/** The times of filters as instants. The zone is read only for a day. Throws validation_failed for a range that ends before it begins. */
export async function resolveTimes<Filters extends { from?: string | undefined; to?: string | undefined }>(
  filters: Filters,
  readZone: () => Promise<string>,
): Promise<Filters> {
  const { from, to } = filters;
  const hasDay = [from, to].some((text) => text !== undefined && isDay(text));
  const timeZone = hasDay ? await readZone() : undefined;
  const resolved =
    timeZone === undefined
      ? filters
      : {
          ...filters,
          ...(from !== undefined && { from: startOf(from, timeZone).toISOString() }),
          ...(to !== undefined && { to: endOf(to, timeZone).toISOString() }),
        };
  if (!endsAfterItBegins(resolved))
    throw commonErrors.validation_failed({ issues: [{ path: 'to', message: backwardsText }] });
  return resolved;
}

/**
 * The periods of a time range, the first and the last one perhaps cut: their starts in ascending order, and their keys, such as
 * `2026-11-22` for a day, the Monday of a week and `2026-11` for a month.
 */
export function periodsOf(
  period: Period,
  { from, to }: TimeRange,
  timeZone: string,
): { starts: Date[]; keys: string[] } {
  const starts: Date[] = [];
  const keys: string[] = [];
  let wall = firstWall(period, toWall(timeZone, from.getTime()));
  for (;;) {
    const startMs = Math.max(fromWall(timeZone, wall), from.getTime());
    if (startMs >= to.getTime()) return { starts, keys };
    starts.push(new Date(startMs));
    keys.push(new Date(wall).toISOString().slice(0, period === 'month' ? 7 : 10));
    wall = nextWall(period, wall);
  }
}

const startOfWallDay = (wall: number): number => Math.floor(wall / dayMs) * dayMs;

/** The start of the period as wall time, encoded as if it were UTC. */
function firstWall(period: Period, wall: number): number {
  const day = startOfWallDay(wall);
  // 1970-01-01 was a Thursday, three days after a Monday.
  if (period === 'week') return day - ((((day / dayMs + 3) % 7) + 7) % 7) * dayMs;
  if (period === 'day') return day;
  return Date.UTC(new Date(day).getUTCFullYear(), new Date(day).getUTCMonth(), 1);
}

function nextWall(period: Period, wall: number): number {
  if (period !== 'month') return wall + (period === 'week' ? 7 : 1) * dayMs;
  return Date.UTC(new Date(wall).getUTCFullYear(), new Date(wall).getUTCMonth() + 1, 1);
}
