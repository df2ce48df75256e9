/** The bars of a histogram. Each begins with a multiple of its width in the reader's time zone. */
export interface Bars {
  widthMs: number;
  /** Oldest first, without gaps. The first bar may begin before the time range. */
  starts: Date[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const widthsMs = [
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  12 * hourMs,
  dayMs,
  2 * dayMs,
];

const barsMax = 60;

/** The narrowest bars that cover a time range of up to 90 days. There are at most 60 bars. */
export function barsOf({ from, to }: { from: Date; to: Date }, utcOffsetMinutes: number): Bars {
  const fitting = widthsMs.find((width) => width * barsMax >= to.getTime() - from.getTime());
  const widthMs = fitting ?? 2 * dayMs;
  const offsetMs = utcOffsetMinutes * minuteMs;
  const first = Math.floor((from.getTime() + offsetMs) / widthMs) * widthMs - offsetMs;
  const starts = [new Date(first)];
  for (let start = first + widthMs; start < to.getTime(); start += widthMs) starts.push(new Date(start));
  return { widthMs, starts };
}
