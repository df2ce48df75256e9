import * as z from 'zod/mini';
import { moment, optional, text } from '../../search-params.ts';

/** Reports count in days of UTC, today included. */
export const ranges = {
  last_7_days: { text: 'Last 7 days', days: 7 },
  last_30_days: { text: 'Last 30 days', days: 30 },
  last_90_days: { text: 'Last 90 days', days: 90 },
  last_365_days: { text: 'Last 365 days', days: 365 },
  all_time: { text: 'All time', days: undefined },
};

export type Range = keyof typeof ranges;
export const defaultRange = 'last_30_days' satisfies Range;

export const eventTypes = [
  'purchase',
  'refund',
  'chargeback',
  'refund_reversal',
  'chargeback_reversal',
  'purchase_reversal',
] as const;
export const paymentStates = ['paid', 'partially_refunded', 'refunded', 'charged_back'] as const;
export const breakdowns = ['webinar', 'offer', 'level', 'utmSource', 'source'] as const;

export const RevenueSearch = z.object({
  /** The overview when left out. */
  tab: optional(z.enum(['events', 'unattributed'])),
  /** The last 30 days when left out. */
  range: optional(z.enum(Object.keys(ranges) as [Range, ...Range[]])),
  /** Selected bars of the chart, instead of the range. ISO 8601; both or neither. */
  from: moment,
  to: moment,
  webinar: optional(z.guid()),
  /** The currency of the chart and of the groups below it. */
  currency: optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
  /** Groups by webinar when left out. */
  by: optional(z.enum(breakdowns)),
  /** The chart as a table. */
  chart: optional(z.enum(['table'])),
  /** Filters of the events. */
  type: optional(z.enum(eventTypes)),
  source: optional(z.string().check(z.regex(/^[a-z0-9_]{1,40}$/))),
  state: optional(z.enum(paymentStates)),
  attributed: optional(z.enum(['yes', 'no'])),
  /** An offer of the webinar. */
  offer: optional(z.guid()),
  /** A whole address. The router reads digits as a number. */
  email: optional(
    z.pipe(
      z.union([z.string(), z.number()]),
      z.pipe(
        z.transform((value: string | number) => String(value).trim().toLowerCase()),
        z.string().check(z.minLength(1), z.maxLength(320)),
      ),
    ),
  ),
  /** The event whose drawer is open. */
  event: text,
});

export type RevenueSearch = z.output<typeof RevenueSearch>;

/** A change that removes the filters of the events, without the time and the webinar. */
export const noEventFilters = {
  type: undefined,
  source: undefined,
  state: undefined,
  attributed: undefined,
  offer: undefined,
  email: undefined,
} satisfies RevenueSearch;

export const noFilters = {
  ...noEventFilters,
  range: undefined,
  from: undefined,
  to: undefined,
  webinar: undefined,
} satisfies RevenueSearch;

export const isFiltered = (search: RevenueSearch): boolean =>
  (Object.keys(noFilters) as (keyof typeof noFilters)[]).some((name) => search[name] !== undefined);

/** The filters of the open tab. Those of the events are kept in the URL while another tab is open, and do not apply there. */
export const filtersOf = (search: RevenueSearch): RevenueSearch => {
  if (search.tab === 'events') return search;
  return { ...search, ...noEventFilters, ...(search.tab === 'unattributed' && { attributed: 'no' }) };
};

const dayMs = 24 * 3_600_000;

/** The time of lists, in whole days of UTC. Without an end it reaches up to now, and without a start to the first event. */
export function spanOf(
  { range, from, to }: RevenueSearch,
  nowMs: number,
): { from?: string | undefined; to?: string | undefined } {
  if (from !== undefined && to !== undefined && from < to)
    return { from: dayAt(Date.parse(from)), to: dayAt(Date.parse(to) + dayMs - 1) };
  const { days } = ranges[range ?? defaultRange];
  return days === undefined ? {} : { from: dayAt(nowMs - (days - 1) * dayMs) };
}

/** The longest time of a report, in days. */
const reportDaysMax = 400;
const widestReport = 'last_365_days' satisfies Range;

/** The range that a report shows: reports do not cover all time. */
export const reportRange = ({ range = defaultRange }: RevenueSearch): Range =>
  range === 'all_time' ? widestReport : range;

/** The time of reports, in whole days of UTC. */
export function reportSpanOf(search: RevenueSearch, nowMs: number): { from: string; to: string } {
  const { from, to = dayAt(nowMs + dayMs) } = spanOf({ ...search, range: reportRange(search) }, nowMs);
  const earliest = dayAt(Date.parse(to) - reportDaysMax * dayMs);
  return { from: from === undefined || from < earliest ? earliest : from, to };
}

/** The start of the day of UTC, ISO 8601. */
const dayAt = (ms: number): string => new Date(Math.floor(ms / dayMs) * dayMs).toISOString();
