import type { Bars } from './bars.ts';
import { quarterMs } from './delivery-count.ts';

/** A part of a bar whose deliveries are either all in stored counts, or all counted now. */
export interface Part {
  /** The index of its bar. */
  bar: number;
  from: Date;
  to: Date;
  isLive: boolean;
}

/** The quarters of an hour within a time range. Undefined if there is none, or if a bar begins inside of a quarter. */
export function wholeQuarters(
  { from, to }: { from: Date; to: Date },
  { widthMs, starts }: Bars,
): { from: Date; to: Date } | undefined {
  if (widthMs % quarterMs !== 0 || starts[0]!.getTime() % quarterMs !== 0) return undefined;
  const firstMs = Math.ceil(from.getTime() / quarterMs) * quarterMs;
  const endMs = Math.floor(to.getTime() / quarterMs) * quarterMs;
  return firstMs < endMs ? { from: new Date(firstMs), to: new Date(endMs) } : undefined;
}

/** The parts of all bars, oldest first and without gaps. `stored` is the time with stored counts, if there is any. */
export function partsOf(
  span: { from: Date; to: Date },
  { starts }: Bars,
  stored: { from: Date; to: Date } | undefined,
): Part[] {
  const borders = [...starts.slice(1), ...(stored ? [stored.from, stored.to] : [])]
    .map((border) => border.getTime())
    .filter((border) => border > span.from.getTime() && border < span.to.getTime());
  const times = [...new Set([span.from.getTime(), ...borders])].toSorted((a, b) => a - b);
  return times.map((fromMs, index) => ({
    bar: starts.findLastIndex((start) => start.getTime() <= fromMs),
    from: new Date(fromMs),
    to: new Date(times[index + 1] ?? span.to.getTime()),
    isLive: stored === undefined || fromMs < stored.from.getTime() || fromMs >= stored.to.getTime(),
  }));
}
