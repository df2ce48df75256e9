// Converts between the wall-clock time of native inputs, in an IANA zone, and the instant that the API takes.
import { dateFormat } from './intl-formats.ts';

/** `2026-12-01T15:00` in `Europe/Berlin` -> `2026-12-01T14:00:00.000Z`. A time skipped by a clock change moves forward. */
export function zonedTimeToInstant(local: string, timeZone: string): string {
  const wall = Date.parse(`${local}Z`);
  const guess = wall - offsetAt(wall, timeZone);
  // The first offset was read at an instant that is up to a day off. Reading it again at the result corrects it.
  return new Date(wall - offsetAt(guess, timeZone)).toISOString();
}

/** The value of a `datetime-local` input for an instant in a zone. */
export function instantToZonedTime(instantMs: number, timeZone: string): string {
  return new Date(instantMs + offsetAt(instantMs, timeZone)).toISOString().slice(0, 16);
}

export const localTimeZone = (): string => dateFormat({}).resolvedOptions().timeZone;

export const allTimeZones = (): string[] => [
  ...new Set([localTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')]),
];

function offsetAt(instantMs: number, timeZone: string): number {
  const parts = dateFormat({
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instantMs);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((entry) => entry.type === type)?.value);
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return wall - Math.floor(instantMs / 1000) * 1000;
}
