// The time and the filters of the parameters. The routes of all pages load `search.ts`, so these are in a file of their own.
import { addDays, countDays } from './days.ts';
import type { Period } from '@service/catalogue';
import type { rangeNames, RevenueSearch } from './search.ts';

export type Range = (typeof rangeNames)[number];

/** Reports count in days of the workspace, today included. */
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

/** A change that removes the time and the webinar. */
export const noTime = {
  range: undefined,
  from: undefined,
  to: undefined,
  webinar: undefined,
} satisfies RevenueSearch;

export const noFilters = { ...noEventFilters, ...noTime } satisfies RevenueSearch;

export const isFiltered = (search: RevenueSearch): boolean =>
  (Object.keys(noFilters) as (keyof typeof noFilters)[]).some((name) => search[name] !== undefined);

/** The filters of the open tab. Those of the events are kept in the URL while another tab is open, and do not apply there. */
export const filtersOf = (search: RevenueSearch): RevenueSearch => {
  if (search.tab === 'events') return search;
  return { ...search, ...noEventFilters, ...(search.tab === 'unattributed' && { attributed: 'no' }) };
};

/** The time of lists, in days, today included. All time has neither a start nor an end. */
export function spanOf(
  { range, from, to }: RevenueSearch,
  today: string,
): { from?: string | undefined; to?: string | undefined } {
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  const { days } = ranges[range ?? defaultRange];
  return days === undefined ? {} : { from: addDays(today, 1 - days), to: today };
}

/** The longest time of a report, in days. */
const reportDaysMax = 400;
const widestReport = 'last_365_days' satisfies Range;

/** The range that a report shows: reports do not cover all time. */
export const reportRange = ({ range = defaultRange }: RevenueSearch): Range =>
  range === 'all_time' ? widestReport : range;

/** The time of reports, in days. */
export function reportSpanOf(search: RevenueSearch, today: string): { from: string; to: string } {
  const { from, to = today } = spanOf({ ...search, range: reportRange(search) }, today);
  const earliest = addDays(to, 1 - reportDaysMax);
  return { from: from === undefined || from < earliest ? earliest : from, to };
}

/** True if a report covers the whole time of the list. Then its sums are those of the list. */
export function isInReport(search: RevenueSearch, today: string): boolean {
  const list = spanOf(search, today);
  const report = reportSpanOf(search, today);
  return list.from === report.from && list.to === report.to;
}

/** A bar of fewer pixels could not be picked on a phone. */
const dayBarsMax = 92;

/** Periods that have enough room for their bars. */
export const periodsFor = ({ from, to }: { from: string; to: string }): readonly Period[] =>
  countDays(from, to) <= dayBarsMax ? ['day', 'week', 'month'] : ['week', 'month'];

/** The period of a bar: the one in the URL, or the shortest that has enough room. */
export function periodOf({ per }: RevenueSearch, span: { from: string; to: string }): Period {
  const possible = periodsFor(span);
  return possible.find((period) => period === per) ?? possible[0]!;
}
