// Formats times and counts. Times are local unless a zone is given.
import { dateFormat, numberFormat } from './intl-formats.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** "just now", "4 min ago", "in 2 h", "3 d ago", and the date beyond thirty days. */
export function formatRelative(iso: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(iso) - nowMs) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 5) return seconds > 0 ? 'in a moment' : 'just now';
  if (distance > 30 * day) return formatDate(iso);
  const text = formatDistance(distance);
  return seconds < 0 ? `${text} ago` : `in ${text}`;
}

function formatDistance(seconds: number): string {
  if (seconds < minute) return `${seconds} s`;
  if (seconds < hour) return `${Math.floor(seconds / minute)} min`;
  if (seconds < day) return `${Math.floor(seconds / hour)} h`;
  return `${Math.floor(seconds / day)} d`;
}

const date = { day: 'numeric', month: 'short' } as const;
const clock = { hour: '2-digit', minute: '2-digit' } as const;

const formatter =
  (options: Intl.DateTimeFormatOptions) =>
  (iso: string): string =>
    dateFormat(options).format(new Date(iso));

/** "26 Nov 2026" */
export const formatDate = formatter({ ...date, year: 'numeric' });

/** "26 Nov 2026, 16:00:09 GMT+1": shown on hover. */
export const formatExact = formatter({
  ...date,
  year: 'numeric',
  ...clock,
  second: '2-digit',
  timeZoneName: 'short',
});

/** "26 Nov, 16:00" */
export const formatMinute = formatter({ ...date, ...clock });

/** "26 Nov, 16:00:09" */
export const formatSecond = formatter({ ...date, ...clock, second: '2-digit' });

/** "16:00" */
export const formatClock = formatter(clock);

/** "26 Nov, 16:00 – 16:15", "26 Nov, 16:00 – 27 Nov, 04:00" */
export const formatSpan = (from: string, to: string): string =>
  `${formatMinute(from)} – ${formatDate(from) === formatDate(to) ? formatClock(to) : formatMinute(to)}`;

/** "40 s", "45 min", "1 h 30 min" */
export function formatDuration(seconds: number): string {
  if (seconds < minute) return `${seconds} s`;
  // Rounded first, or 59 min 50 s would be 60 min.
  const rounded = Math.round(seconds / minute);
  const [hours, minutes] = [Math.floor(rounded / 60), rounded % 60];
  if (hours === 0) return `${minutes} min`;
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}

export const formatMilliseconds = (ms: number): string =>
  ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;

export const formatCount = (count: number): string => numberFormat({}).format(count);

/** "99.4%" */
export const formatPercent = (share: number): string =>
  // Rounded down, so that 100% means all.
  numberFormat({
    style: 'percent',
    maximumFractionDigits: 1,
    roundingMode: 'floor',
  }).format(share);

/** "1 request", "1,204 requests", "2 deliveries" */
export const formatPlural = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : plural}`;

/** The people who wait for a marketing tool: "3 people". They are counted up to 100,000: "100,000 people or more". */
export const formatWaiting = (people: number): string =>
  people >= waitingMax ? `${formatCount(people)} people or more` : formatPlural(people, 'person', 'people');

const waitingMax = 100_000;
