// Sums of a time range. They are read from counters that the ledger changes with its rows, so they cost the same for ten events
// and for ten million.
import { countPeople, type PeopleCount } from '@service/attendees';
import { periods, type Period } from '@service/catalogue';
import type { AccountQueries, AccountReader } from '@service/database';
import { commonErrors } from '@service/errors';
import type { z } from 'zod';
import type { TotalDimension } from '../ledger/totals.ts';
import { daysBefore, daysBetween, endOf, endOfDayAt, startOf, type TimeRange } from './days.ts';
import { sumByField, sumByPeriod, sumNames, type SumRow } from './read-sums.sql.ts';
import { nameOf, readNames } from './select-events.ts';
import {
  groupsMax,
  summaryDaysMax,
  type RevenueGroup,
  type RevenueSummary,
  type RevenueSummaryInput,
  type RevenueTotal,
  type RevenueTrend,
  type SummaryGrouping,
} from './summary-schemas.ts';

type Summary = z.input<typeof RevenueSummary>;
type Group = z.input<typeof RevenueGroup>;
type Total = z.input<typeof RevenueTotal>;

const dimensionBy: Record<Exclude<SummaryGrouping, Period>, TotalDimension> = {
  webinar: 'webinar',
  offer: 'offer',
  level: 'level',
  utmSource: 'utm_source',
  source: 'source',
};

/** Throws validation_failed for a time range that is empty or too long. */
export async function summarize(
  reader: AccountReader,
  input: z.output<typeof RevenueSummaryInput>,
  timeZone: string,
): Promise<Summary> {
  const { currency, webinarId, by } = input;
  const range = rangeOf(input, reader.now, timeZone);
  const options = { range, webinarId, currency };
  // Sums of one webinar are not kept by webinar. Its only group is the sum of its levels.
  const isOneWebinar = by === 'webinar' && webinarId !== undefined;
  const readGroups = async (): Promise<SumRow[]> => {
    if (isPeriod(by)) return sumByPeriod(reader, { period: by, timeZone }, options);
    return isOneWebinar ? [] : sumByField(reader, dimensionBy[by], options);
  };
  const [levels, grouped, people] = await Promise.all([
    sumByField(reader, 'level', options),
    readGroups(),
    countPeople(reader, { ...range, webinarId }),
  ]);
  const totals = toTotals(levels, people);
  const rows = isOneWebinar ? addUp(levels).map((row) => ({ ...row, key: webinarId })) : grouped;
  const titles = await readTitles(reader, by, rows);
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    timeZone,
    totals,
    groups: rows.slice(0, groupsMax).map((row): Group => {
      const key = row.key === '' ? null : row.key;
      const counted = by === 'webinar' && key !== null && people ? (people.get(key) ?? noPeople) : undefined;
      return { key, title: nameOf(titles, key), ...toSums(row), ...perPerson(row, counted) };
    }),
    hasMoreGroups: rows.length > groupsMax,
  };
}

const trendMs = 30 * 86_400_000;
const hourMs = 3_600_000;

/** The net revenue of the last 30 days and of the 30 days before, up to the next full hour. People are not counted. */
export async function readRevenueTrend(reader: AccountReader): Promise<z.input<typeof RevenueTrend>> {
  const endMs = Math.ceil(reader.now.getTime() / hourMs) * hourMs;
  const at = (times: number): Date => new Date(endMs - times * trendMs);
  const [current, former] = await Promise.all([
    readNet(reader, { from: at(1), to: at(0) }),
    readNet(reader, { from: at(2), to: at(1) }),
  ]);
  return { current, former };
}

/** The net revenue of a time range in each currency that has any events. The one with the most purchases is first. */
export async function readNet(
  reader: AccountQueries,
  range: TimeRange,
): Promise<{ currency: string; netMinor: number }[]> {
  const levels = await sumByField(reader, 'level', { range, webinarId: undefined, currency: undefined });
  return addUp(levels)
    .toSorted((one, other) => other.purchases - one.purchases)
    .map((row) => ({ currency: row.currency, netMinor: netOf(row) }));
}

const isPeriod = (by: SummaryGrouping): by is Period => (periods as readonly string[]).includes(by);

function rangeOf(
  { from: givenFrom, to: givenTo }: Pick<z.output<typeof RevenueSummaryInput>, 'from' | 'to'>,
  now: Date,
  timeZone: string,
): TimeRange {
  const to = givenTo === undefined ? endOfDayAt(now, timeZone) : endOf(givenTo, timeZone);
  const from = givenFrom === undefined ? daysBefore(to, 30, timeZone) : startOf(givenFrom, timeZone);
  const message =
    from >= to
      ? 'Must be before the end of the time range.'
      : daysBetween({ from, to }, timeZone) > summaryDaysMax
        ? `At most ${summaryDaysMax} days before the end of the time range.`
        : undefined;
  if (message !== undefined) throw commonErrors.validation_failed({ issues: [{ path: 'from', message }] });
  return { from, to };
}

const noPeople: PeopleCount = { registrants: 0, attendees: 0 };

const toSums = ({ key: _key, ...sums }: SumRow) => ({ ...sums, netMinor: netOf(sums) });

const netOf = ({ grossMinor, refundsMinor, chargebacksMinor }: Omit<SumRow, 'key'>): number =>
  grossMinor + refundsMinor + chargebacksMinor;

const perPerson = (row: Omit<SumRow, 'key'>, people: PeopleCount | undefined) => ({
  registrants: people?.registrants ?? null,
  attendees: people?.attendees ?? null,
  perRegistrantMinor: divide(netOf(row), people?.registrants),
  perAttendeeMinor: divide(netOf(row), people?.attendees),
});

/** In whole minor units. Null without people. */
const divide = (netMinor: number, people: number | undefined): number | null =>
  people ? Math.round(netMinor / people) : null;

/** One row for each currency. */
const addUp = (rows: readonly SumRow[]): SumRow[] =>
  [...Map.groupBy(rows, ({ currency }) => currency).values()].map((own) =>
    own.reduce((total, row) => ({
      ...total,
      ...Object.fromEntries(sumNames.map((name) => [name, total[name] + row[name]])),
    })),
  );

function toTotals(levels: readonly SumRow[], people: ReadonlyMap<string, PeopleCount> | undefined): Total[] {
  const counts = people && [...people.values()];
  const all = counts && {
    registrants: counts.reduce((total, { registrants }) => total + registrants, 0),
    attendees: counts.reduce((total, { attendees }) => total + attendees, 0),
  };
  return addUp(levels).map((row) => {
    const unattributed = levels.find(
      ({ key, currency }) => key === 'unattributed' && currency === row.currency,
    );
    const unattributedShare = row.grossMinor === 0 ? null : (unattributed?.grossMinor ?? 0) / row.grossMinor;
    return { ...toSums(row), unattributedShare, ...perPerson(row, all) };
  });
}

async function readTitles(
  reader: AccountReader,
  by: SummaryGrouping,
  rows: readonly SumRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(({ key }) => (key === '' ? [] : [key]));
  const { webinars, interactions } = await readNames(reader, {
    webinarIds: by === 'webinar' ? ids : [],
    interactionIds: by === 'offer' ? ids : [],
    registrationIds: [],
  });
  return by === 'offer' ? interactions : webinars;
}
