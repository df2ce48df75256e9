// Days of reports are days of the workspace's time zone, as the API takes and names them: `2026-11-26`. They are written as they
// are, and not in the time zone of the reader.
import { dateFormat } from '../../intl-formats.ts';
import { instantToZonedTime } from '../../zoned-time.ts';

const dayMs = 86_400_000;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The day that the clocks of a zone show. */
export const todayIn = (timeZone: string, nowMs: number): string =>
  instantToZonedTime(nowMs, timeZone).slice(0, 10);

export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + days * dayMs);

/** Days from the first to the last one, both included. */
export const countDays = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / dayMs + 1;

/** The Monday of the week of a day. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));

const dayFormat = dateFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

const shortFormat = dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' });

/** "26 Nov 2026", or "20 Nov – 26 Nov 2026". */
export function formatDays(from: string, to: string): string {
  const end = dayFormat.format(new Date(to));
  if (from === to) return end;
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  return `${(isOneYear ? shortFormat : dayFormat).format(new Date(from))} – ${end}`;
}

/** "26 Nov" */
export const formatShortDay = (day: string): string => shortFormat.format(new Date(day));
