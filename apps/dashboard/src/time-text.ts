// Positions in a video as people write them: 1:30, 1:02:03, or seconds.

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

/** "30:00 to 40:00", or "30:00 to the end" */
export const formatRange = (from: number, to: number | null): string =>
  `${formatPosition(from)} to ${to === null ? 'the end' : formatPosition(to)}`;

const twoDigits = (number: number): string => String(number).padStart(2, '0');
