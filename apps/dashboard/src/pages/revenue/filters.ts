// The time and the filters of the parameters. The routes of all pages load `search.ts`, so these are in a file of their own.
import type { rangeNames, RevenueSearch } from './search.ts';

export type Range = (typeof rangeNames)[number];

/** Reports count in days of UTC, today included. */
export const ranges: Record<Range, { text: string; days: number | undefined }> = {
  last_7_days: { text: 'Last 7 days', days: 7 },
  last_30_days: { text: 'Last 30 days', days: 30 },
  last_90_days: { text: 'Last 90 days', days: 90 },
  last_365_days: { text: 'Last 365 days', days: 365 },
  all_time: { text: 'All time', days: undefined },
};

export const defaultRange = 'last_30_days' satisfies Range;

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
