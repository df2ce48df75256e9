// Clock arithmetic for IANA time zones. Temporal needs microseconds for each offset, and a schedule needs thousands, so offsets
// are cached.
import { Temporal } from 'temporal-polyfill';

export const minuteMs = 60_000;
export const dayMs = 86_400_000;

/** No zone changes its clock twice in this time, so equal offsets at both ends apply to the whole stretch. */
const stretchMs = 7 * dayMs;
const stretchesMax = 20_000;

interface Stretch {
  before: number;
  after: number;
  /** Instant from which `after` applies. */
  changesAt: number;
}

const stretches = new Map<string, Stretch>();

/** UTC offset of a zone at an instant, in milliseconds. */
export function offsetAt(timezone: string, instantMs: number): number {
  const { before, after, changesAt } = stretchAt(timezone, Math.floor(instantMs / stretchMs));
  return instantMs < changesAt ? before : after;
}

/** Wall time of a zone at an instant, encoded as if it were UTC. */
export const toWall = (timezone: string, instantMs: number): number =>
  instantMs + offsetAt(timezone, instantMs);

/**
 * The instant at which a zone's clock shows `wallMs`, a wall time encoded as if it were UTC. A wall time that a clock change
 * skips moves forward by the skipped time. Of a wall time that happens twice, the first counts. Temporal calls this "compatible".
 */
export function fromWall(timezone: string, wallMs: number): number {
  const before = offsetAt(timezone, wallMs - dayMs);
  const after = offsetAt(timezone, wallMs + dayMs);
  const first = wallMs - Math.max(before, after);
  const second = wallMs - Math.min(before, after);
  if (toWall(timezone, first) === wallMs) return first;
  if (toWall(timezone, second) === wallMs) return second;
  return wallMs - before;
}

/** Formats an instant in a zone with its offset: `2026-12-01T17:00:00+01:00`. */
export function formatLocal(timezone: string, instantMs: number): string {
  const offsetMinutes = Math.round(offsetAt(timezone, instantMs) / minuteMs);
  const size = Math.abs(offsetMinutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  const offset = `${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return new Date(toWall(timezone, instantMs)).toISOString().slice(0, 19) + offset;
}

function stretchAt(timezone: string, index: number): Stretch {
  const key = `${timezone} ${index}`;
  const known = stretches.get(key);
  if (known) return known;
  if (stretches.size >= stretchesMax) stretches.clear();
  const stretch = measure(timezone, index * stretchMs);
  stretches.set(key, stretch);
  return stretch;
}

function measure(timezone: string, start: number): Stretch {
  const before = readOffset(timezone, start);
  const after = readOffset(timezone, start + stretchMs);
  if (before === after) return { before, after, changesAt: start };
  let [low, high] = [start, start + stretchMs];
  while (high - low > minuteMs) {
    const middle = low + Math.floor((high - low) / (2 * minuteMs)) * minuteMs;
    if (readOffset(timezone, middle) === before) low = middle;
    else high = middle;
  }
  return { before, after, changesAt: high };
}

const readOffset = (timezone: string, instantMs: number): number =>
  Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timezone).offsetNanoseconds / 1e6;
