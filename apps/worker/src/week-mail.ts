// The mail with the numbers of last week.
import { currencyDigits } from '@service/catalogue';
import { fromWall, toWall } from '@service/webinars';
import { oneLine } from './notice-mail.ts';

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
/** A worker that did not run at 08:00 sends until 12:00. */
const lateHours = 4;

export interface Span {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** The last week of a time zone, from Monday to Sunday, and the one before. Undefined unless it is Monday between 08:00 and 12:00. */
export function findLastWeek(timeZone: string, now: Date): { week: Span; before: Span } | undefined {
  const wall = toWall(timeZone, now.getTime());
  // The first Monday of 1970 was the fifth day.
  const monday = Math.floor((wall - 4 * 24 * hourMs) / weekMs) * weekMs + 4 * 24 * hourMs;
  const hours = (wall - monday) / hourMs;
  if (hours < 8 || hours >= 8 + lateHours) return undefined;
  const [from, middle, to] = [2, 1, 0].map((weeks) => new Date(fromWall(timeZone, monday - weeks * weekMs)));
  return { week: { from: middle!, to: to! }, before: { from: from!, to: middle! } };
}

/** The same days of a time zone, some days earlier. */
export function daysBefore(timeZone: string, { from, to }: Span, days: number): Span {
  const shift = (time: Date): Date =>
    new Date(fromWall(timeZone, toWall(timeZone, time.getTime()) - days * 24 * hourMs));
  return { from: shift(from), to: shift(to) };
}

export interface WeekNumbers {
  registrations: number;
  attended: number;
  noShow: number;
  /** Deliveries of `failedSpan` that failed for good. */
  failed: number;
  /** In minor units, by currency. */
  revenue: ReadonlyMap<string, number>;
}

export const isQuiet = ({ registrations, failed, revenue }: WeekNumbers): boolean =>
  registrations === 0 && failed === 0 && revenue.size === 0;

interface Week {
  name: string;
  timeZone: string;
  week: Span;
  numbers: WeekNumbers;
  before: WeekNumbers;
  /** The days whose deliveries are counted as failed: their retries have all ended. */
  failedSpan: Span;
  /** Counts of registrations and of deliveries end here. */
  countedMax: number;
  sessions: readonly { title: string; startsAt: string; registrationCount: number }[];
  workspaceUrl: string;
}

export function composeWeek(options: Week): { subject: string; text: string } {
  const { timeZone, numbers, before, countedMax, sessions, workspaceUrl } = options;
  const name = oneLine(options.name);
  const count = (value: number): string =>
    value >= countedMax ? `${countedMax.toLocaleString('en')} or more` : value.toLocaleString('en');
  const line = (what: string, read: (one: WeekNumbers) => string): string =>
    `${what}: ${read(numbers)} (the week before: ${read(before)})`;
  const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone });
  const datesOf = ({ from, to }: Span): string =>
    `${dates.format(from)} to ${dates.format(new Date(to.getTime() - 1))}`;
  const currencies = [...new Set([...numbers.revenue.keys(), ...before.revenue.keys()])].slice(
    0,
    currenciesMax,
  );
  const lines = [
    line('Registrations', (one) => count(one.registrations)),
    line('Attendance of these registrations', attendanceOf),
    line(`Webhooks of ${datesOf(options.failedSpan)} that failed for good`, (one) => count(one.failed)),
    ...currencies.map((currency) =>
      line(`Net revenue in ${currency}`, (one) => moneyOf(one.revenue.get(currency) ?? 0, currency)),
    ),
  ];
  const parts = [
    'Hello,',
    `The numbers of ${name} from ${datesOf(options.week)} (${timeZone}):`,
    lines.join('\n'),
    sessions.length === 0
      ? 'No session is planned.'
      : `Next sessions:\n${sessions.map((session) => sessionLine(session, timeZone)).join('\n')}`,
    `More numbers:\n${workspaceUrl}/home`,
    `You can switch this mail off under ${workspaceUrl}/settings/account`,
  ];
  return { subject: `${name}: last week in numbers`, text: `${parts.join('\n\n')}\n` };
}

const currenciesMax = 5;

/** Of those whose session has ended, like on the first page of the workspace. */
const attendanceOf = ({ attended, noShow }: WeekNumbers): string =>
  attended + noShow === 0 ? 'none' : `${Math.round((attended / (attended + noShow)) * 100)}%`;

function moneyOf(minor: number, currency: string): string {
  const digits = currencyDigits(currency);
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(minor / 10 ** digits);
}

function sessionLine(
  { title, startsAt, registrationCount }: Week['sessions'][number],
  timeZone: string,
): string {
  const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone });
  return `${oneLine(title)}: ${time.format(new Date(startsAt))}, ${registrationCount.toLocaleString('en')} registered`;
}
