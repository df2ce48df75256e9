// Positions in a video as people write them: 1:30, 1:02:03, or seconds. Lengths of webinars: 45, 1:30, or 1 h 30 min.
import { formatPlural } from './format.ts';

const hourSeconds = 3600;
const minuteSeconds = 60;

/** "1:30" of 90 seconds, "1:02:03" from an hour on. */
export function formatPosition(seconds: number): string {
  const hours = Math.floor(seconds / hourSeconds);
  const minutes = Math.floor((seconds % hourSeconds) / minuteSeconds);
  const rest = twoDigits(seconds % minuteSeconds);
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${twoDigits(minutes)}:${rest}`;
}

/** The seconds of "90", "1:30" or "1:02:03". Undefined for any other text. */
export function parsePosition(text: string): number | undefined {
  const parts = text.trim().split(':');
  if (parts.length > 3 || !parts.every((part) => /^\d{1,6}$/.test(part))) return undefined;
  const numbers = parts.map(Number);
  // The first number may be any, as in 90:00; the others are minutes and seconds of a clock.
  if (numbers.slice(1).some((number) => number >= minuteSeconds)) return undefined;
  return numbers.reduce((total, number) => total * minuteSeconds + number, 0);
}

/** "0:05, 5 seconds": shows how a typed position was read. */
export function positionText(seconds: number): string {
  const units = [
    [Math.floor(seconds / hourSeconds), 'hour'],
    [Math.floor((seconds % hourSeconds) / minuteSeconds), 'minute'],
    [seconds % minuteSeconds, 'second'],
  ] as const;
  const given = units.filter(([number]) => number > 0);
  const words = (given.length > 0 ? given : units.slice(2)).map(([number, unit]) =>
    formatPlural(number, unit),
  );
  return `${formatPosition(seconds)}, ${words.join(' ')}`;
}

/** The seconds of "45" and "45 min", which are minutes, and of "1:30", "1 h" and "1 h 30 min". Undefined for any other text. */
export function parseLength(text: string): number | undefined {
  const match =
    /^(?:(\d{1,2})(?:\s*h(?:ours?)?\s*|:(?=\d\d$)))?(?:(\d{1,4})\s*(?:m(?:in(?:utes?)?)?)?)?$/i.exec(
      text.trim(),
    );
  const [, hours, minutes] = match ?? [];
  if (hours === undefined && minutes === undefined) return undefined;
  if (hours !== undefined && Number(minutes ?? 0) >= minuteSeconds) return undefined;
  return Number(hours ?? 0) * hourSeconds + Number(minutes ?? 0) * minuteSeconds;
}

/** "30:00 to 40:00", or "30:00 to the end" */
export const formatRange = (from: number, to: number | null): string =>
  `${formatPosition(from)} to ${to === null ? 'the end' : formatPosition(to)}`;

const twoDigits = (number: number): string => String(number).padStart(2, '0');
