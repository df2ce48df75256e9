import type { CallFilter } from './schemas.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The width of the counts. In every time zone an hour and a day begin with a quarter of an hour. */
export const quarterMs = 15 * minuteMs;

const rangeMs: Record<CallFilter['range'], number> = {
  last_hour: hourMs,
  last_24_hours: dayMs,
  last_7_days: 7 * dayMs,
  last_30_days: 30 * dayMs,
  last_90_days: 90 * dayMs,
};

/** The clock of a process that records calls may be ahead by this much. */
const clockSkewMaxMs = dayMs;

/** From `from` up to but without `to`. */
export interface Span {
  from: Date;
  to: Date;
}

/** The span of a filter, limited to the longest range. Without an end it includes the newest call. */
export function spanOf({ range, from, to }: Pick<CallFilter, 'range' | 'from' | 'to'>, now: Date): Span {
  const latest = now.getTime() + clockSkewMaxMs;
  const start = from === undefined ? now.getTime() - rangeMs[range] : Date.parse(from);
  return {
    from: new Date(Math.max(start, now.getTime() - rangeMs.last_90_days)),
    to: new Date(to === undefined ? latest : Math.min(Date.parse(to), latest)),
  };
}

export const overlap = (one: Span, other: Span): Span => ({
  from: one.from > other.from ? one.from : other.from,
  to: one.to < other.to ? one.to : other.to,
});

/** The last multiple of `widthMs` that is not after `at`. */
export const floorTo = (widthMs: number, at: Date): Date =>
  new Date(Math.floor(at.getTime() / widthMs) * widthMs);

export const ceilTo = (widthMs: number, at: Date): Date =>
  new Date(Math.ceil(at.getTime() / widthMs) * widthMs);

const barWidthsMs = [
  minuteMs,
  quarterMs,
  2 * quarterMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  8 * hourMs,
  12 * hourMs,
  dayMs,
];

const barsMax = 100;

/** The smallest width with which at most a hundred bars cover the span. */
export const barWidth = ({ from, to }: Span): number =>
  barWidthsMs.find((width) => width * barsMax >= to.getTime() - from.getTime()) ?? dayMs;

/** The start of each bar. The first bar may begin before the span. */
export function barStarts(
  { from, to }: Span,
  { widthMs, offsetMs }: { widthMs: number; offsetMs: number },
): Date[] {
  const first = floorTo(widthMs, new Date(from.getTime() + offsetMs)).getTime() - offsetMs;
  const starts: Date[] = [];
  for (let start = first; start < to.getTime() || starts.length === 0; start += widthMs)
    starts.push(new Date(start));
  return starts;
}
