// Days of reports are days of UTC, so they are written in UTC and not in the time zone of the reader.

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

const shortFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** "26 Nov 2026", or "20 Nov – 26 Nov 2026". The end is exclusive. */
export function formatDays(from: string, to: string): string {
  const first = new Date(from);
  const last = new Date(Date.parse(to) - 1);
  const end = dayFormat.format(last);
  if (dayFormat.format(first) === end) return end;
  const isOneYear = first.getUTCFullYear() === last.getUTCFullYear();
  return `${(isOneYear ? shortFormat : dayFormat).format(first)} – ${end}`;
}

/** "26 Nov" */
export const formatShortDay = (iso: string): string => shortFormat.format(new Date(iso));
