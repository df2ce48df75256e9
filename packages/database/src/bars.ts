// The bars of histograms, and the quarters of an hour that are counted for them.

/** From `from` up to but without `to`. */
export interface Span {
  from: Date;
  to: Date;
}

/** The width of stored counts. In every time zone an hour and a day begin with a quarter of an hour. */
export const quarterMs = 15 * 60_000;

/** Each bar begins with a multiple of the width in the reader's time zone. */
export interface Bars {
  widthMs: number;
  /** Oldest first, without gaps. The first bar may begin before the span. */
  starts: Date[];
}

interface BarOptions {
  /** The possible widths, the narrowest first. The last one is also for longer spans. */
  widthsMs: readonly number[];
  /** The bars that the span may have with a width. There can be one more, because the first one begins before the span. */
  barsMax: number;
  utcOffsetMinutes: number;
}

/** The narrowest bars that cover a span. */
export function barsOf({ from, to }: Span, { widthsMs, barsMax, utcOffsetMinutes }: BarOptions): Bars {
  const fitting = widthsMs.find((width) => width * barsMax >= to.getTime() - from.getTime());
  const widthMs = fitting ?? widthsMs.at(-1)!;
  const offsetMs = utcOffsetMinutes * 60_000;
  const first = floorTo(widthMs, new Date(from.getTime() + offsetMs)).getTime() - offsetMs;
  const starts = [new Date(first)];
  for (let start = first + widthMs; start < to.getTime(); start += widthMs) starts.push(new Date(start));
  return { widthMs, starts };
}

/** The quarters of an hour within a span. Undefined if there is none, or if a bar begins inside of a quarter. */
export function wholeQuarters({ from, to }: Span, { widthMs, starts }: Bars): Span | undefined {
  if (widthMs % quarterMs !== 0 || starts[0]!.getTime() % quarterMs !== 0) return undefined;
  const firstMs = Math.ceil(from.getTime() / quarterMs) * quarterMs;
  const end = floorTo(quarterMs, to);
  return firstMs < end.getTime() ? { from: new Date(firstMs), to: end } : undefined;
}

/** The last multiple of `widthMs` that is not after `at`. */
export const floorTo = (widthMs: number, at: Date): Date =>
  new Date(Math.floor(at.getTime() / widthMs) * widthMs);
