// Texts of times in a zone and a language. Pure: the zone, the language and the present are arguments.

export interface TimeStyle {
  /** An IANA zone. */
  zone: string;
  /** A BCP 47 tag. */
  language: string;
}

/** "Thursday, December 3", with the year if it is not the present one. */
export function formatDay(at: Date, { zone, language }: TimeStyle, now: Date): string {
  const year = (date: Date): string => format(date, { zone, language }, { year: 'numeric' });
  return format(
    at,
    { zone, language },
    {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      ...(year(at) !== year(now) && { year: 'numeric' }),
    },
  );
}

/** "6:00 PM" */
export const formatClock = (at: Date, style: TimeStyle): string =>
  format(at, style, { hour: 'numeric', minute: '2-digit' });

/** "6:00 – 7:00 PM". A session that ends on another day there has both days. */
export const formatRange = (from: Date, to: Date, { zone, language }: TimeStyle): string =>
  new Intl.DateTimeFormat(language, { timeZone: zone, hour: 'numeric', minute: '2-digit' }).formatRange(
    from,
    to,
  );

/** The month and the day for the leaf of a calendar: "Dec" and "3". */
export const formatLeaf = (at: Date, style: TimeStyle): { month: string; day: string } => ({
  month: format(at, style, { month: 'short' }).replace('.', ''),
  day: new Intl.DateTimeFormat('en', { timeZone: style.zone, day: 'numeric' }).format(at),
});

/**
 * "Nepal Time (GMT+5:45)". A zone without a name of its own has that of its city. If its clocks change until the last of several times,
 * it has the name of the whole year: "Eastern Time".
 */
export function nameZone(at: Date, { zone, language }: TimeStyle, until = at): string {
  const offset = offsetOf(at, { zone, language });
  const isChanging = offset !== offsetOf(until, { zone, language });
  const name = partOf(at, { zone, language }, isChanging ? 'longGeneric' : 'long');
  const shown = /^(GMT|UTC)/.test(name) ? cityOf(zone) : name;
  return isChanging ? shown : `${shown} (${offset})`;
}

/** "Kathmandu (GMT+5:45)", for lists of zones. */
export const nameCity = (at: Date, style: TimeStyle): string =>
  `${cityOf(style.zone)} (${offsetOf(at, style)})`;

/** True if clocks in both zones show the same at that time. */
export const isSameClock = (at: Date, one: string, other: string): boolean => {
  const parts = { dateStyle: 'short', timeStyle: 'short' } as const;
  const [first, second] = [one, other].map((zone) => format(at, { zone, language: 'en' }, parts));
  return first === second;
};

/** True if both times are on one day in the zone. */
export const isSameDay = (one: Date, other: Date, zone: string): boolean => {
  const [first, second] = [one, other].map((at) =>
    format(at, { zone, language: 'en' }, { dateStyle: 'short' }),
  );
  return first === second;
};

export interface TimeParts {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/** The parts of a wait. A wait that is over is zero. A second that has begun counts. */
export function splitWait(ms: number): TimeParts {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor((seconds % 86_400) / 3600),
    minutes: Math.floor((seconds % 3600) / 60),
    seconds: seconds % 60,
  };
}

/** "12:05", "1:12:05" */
export function formatWait(ms: number): string {
  const { days, hours, minutes, seconds } = splitWait(ms);
  const twoDigits = (number: number): string => String(number).padStart(2, '0');
  const allHours = days * 24 + hours;
  return `${allHours > 0 ? `${allHours}:${twoDigits(minutes)}` : minutes}:${twoDigits(seconds)}`;
}

export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The visitor's variety of the page's language, such as `en-GB` of `en`: it decides between 18:00 and 6:00 PM. */
export const varietyOf = (locale: string, wanted: readonly string[]): string =>
  wanted.find((tag) => tag.split('-')[0] === locale.split('-')[0] && isLanguage(tag)) ?? locale;

/** False for the names that some systems give, such as `en-US@posix`. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** "New York" of America/New_York. */
export function cityOf(zone: string): string {
  const city = zone.split('/').at(-1)!.replaceAll('_', ' ');
  return presentNames[city] ?? city;
}

/** Browsers still list some zones by names that their cities no longer have. */
const presentNames: Record<string, string> = {
  Asmera: 'Asmara',
  Calcutta: 'Kolkata',
  Enderbury: 'Kanton',
  Faeroe: 'Faroe',
  Godthab: 'Nuuk',
  Katmandu: 'Kathmandu',
  Kiev: 'Kyiv',
  Ponape: 'Pohnpei',
  Rangoon: 'Yangon',
  Saigon: 'Ho Chi Minh',
  Truk: 'Chuuk',
};

const offsetOf = (at: Date, style: TimeStyle): string => partOf(at, style, 'shortOffset');

const partOf = (
  at: Date,
  { zone, language }: TimeStyle,
  timeZoneName: 'long' | 'longGeneric' | 'shortOffset',
): string =>
  new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value;

const format = (at: Date, { zone, language }: TimeStyle, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language, { timeZone: zone, ...options }).format(at);
