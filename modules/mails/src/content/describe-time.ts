/** `Tuesday, 1 December 2026 at 17:00 (Greenwich Mean Time)`. */
export function describeTime(time: Date, timezone: string): string {
  const parts = new Map(
    formatIn(timezone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const day = `${part('weekday')}, ${part('day')} ${part('month')} ${part('year')}`;
  return `${day} at ${part('hour')}:${part('minute')} (${part('timeZoneName')})`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format takes longer to make than to use. There are fewer than a thousand zones. */
function formatIn(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'long',
  });
  formats.set(timezone, made);
  return made;
}

const units = [
  { name: 'day', minutes: 1440, from: 2880 },
  { name: 'hour', minutes: 60, from: 60 },
  { name: 'minute', minutes: 1, from: 1 },
] as const;

/** `1 hour`, `24 hours`, `2 days`. Empty when the time has come. */
export function describeWait(waitMs: number): string {
  const minutes = Math.round(waitMs / 60_000);
  const unit = units.find(({ from }) => minutes >= from);
  if (!unit) return '';
  const count = Math.round(minutes / unit.minutes);
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}
