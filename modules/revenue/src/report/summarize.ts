// Sums of a time range. They are read from counters that the ledger changes with its rows, so they cost the same for ten events
// and for ten million.
import { countPeople, type PeopleCount } from '@service/attendees';
import { column, statement, type AccountReader, type RowsOf } from '@service/database';
import { commonErrors } from '@service/errors';
import type { z } from 'zod';
import { allWebinars, type TotalDimension } from '../ledger/entities/total.ts';
import { nameOf, readNames } from './select-events.ts';
import {
  groupsMax,
  summaryDaysMax,
  type RevenueGroup,
  type RevenueSummary,
  type RevenueSummaryInput,
  type RevenueTotal,
  type SummaryGrouping,
} from './summary-schemas.ts';

type Summary = z.input<typeof RevenueSummary>;
type Group = z.input<typeof RevenueGroup>;
type Total = z.input<typeof RevenueTotal>;

const dimensionBy: Record<Exclude<SummaryGrouping, 'day'>, TotalDimension> = {
  webinar: 'webinar',
  offer: 'offer',
  level: 'level',
  utmSource: 'utm_source',
  source: 'source',
};

// $1 account, $2 webinar or allWebinars, $3 dimension, $4 first day, $5 day after the last one, $6 currency or null. Without names:
// a plan from the time when there were no sums would read all of them.
const sumBy = (key: string, order: string) =>
  statement({
    text: `
      select ${key} as key, currency, sum(gross_minor)::float8 as gross, sum(refunds_minor)::float8 as refunded,
        sum(chargebacks_minor)::float8 as charged_back, sum(purchases)::float8 as purchases, sum(refunds)::float8 as refunds,
        sum(chargebacks)::float8 as chargebacks
      from revenue.total
      where account_id = $1 and webinar_id = $2 and dimension = $3 and day >= $4::date and day < $5::date
        and ($6::text is null or currency = $6)
      group by 1, currency order by currency, ${order} limit ${groupsMax + 1}`,
    row: {
      key: column.text,
      currency: column.text,
      gross: column.float,
      refunded: column.float,
      charged_back: column.float,
      purchases: column.float,
      refunds: column.float,
      chargebacks: column.float,
    },
  });

const sumByDay = sumBy('day::text', 'key');
const sumByKey = sumBy('key', 'gross desc, key');

type SumRow = RowsOf<typeof sumByKey>;

interface Range {
  from: Date;
  to: Date;
}

/** Throws validation_failed for a time range that is empty or too long. */
export async function summarize(
  reader: AccountReader,
  input: z.output<typeof RevenueSummaryInput>,
): Promise<Summary> {
  const { currency, webinarId, by } = input;
  const range = rangeOf(input, reader.now);
  const scope = webinarId ?? allWebinars;
  const read = (summed: typeof sumByKey, dimension: TotalDimension): Promise<SumRow[]> =>
    reader.query(summed, [
      reader.accountId,
      scope,
      dimension,
      dayOf(range.from),
      dayOf(range.to),
      currency ?? null,
    ]);
  const isByDay = by === 'day';
  // Sums of one webinar are not kept by webinar. Its only group is the sum of its levels.
  const isOneWebinar = by === 'webinar' && webinarId !== undefined;
  const [levels, grouped, people] = await Promise.all([
    read(sumByKey, 'level'),
    isByDay ? read(sumByDay, 'level') : isOneWebinar ? [] : read(sumByKey, dimensionBy[by]),
    countPeople(reader, { ...range, webinarId }),
  ]);
  const totals = toTotals(levels, people);
  const rows = isOneWebinar ? addUp(levels).map((row) => ({ ...row, key: webinarId })) : grouped;
  const titles = await readTitles(reader, by, rows);
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    totals,
    groups: rows.slice(0, groupsMax).map((row): Group => {
      const key = row.key === '' ? null : row.key;
      const counted = by === 'webinar' && key !== null && people ? (people.get(key) ?? noPeople) : undefined;
      return { key, title: nameOf(titles, key), ...toSums(row), ...perPerson(row, counted) };
    }),
    hasMoreGroups: rows.length > groupsMax,
  };
}

const dayMs = 86_400_000;

function rangeOf(
  { from: givenFrom, to: givenTo }: Pick<z.output<typeof RevenueSummaryInput>, 'from' | 'to'>,
  now: Date,
): Range {
  const endOfToday = new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs);
  const to = givenTo === undefined ? endOfToday : new Date(givenTo);
  const from = givenFrom === undefined ? new Date(to.getTime() - 30 * dayMs) : new Date(givenFrom);
  const days = (to.getTime() - from.getTime()) / dayMs;
  const message =
    days <= 0
      ? 'Must be before the end of the time range.'
      : days > summaryDaysMax
        ? `At most ${summaryDaysMax} days before the end of the time range.`
        : undefined;
  if (message !== undefined) throw commonErrors.validation_failed({ issues: [{ path: 'from', message }] });
  return { from, to };
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const noPeople: PeopleCount = { registrants: 0, attendees: 0 };

const toSums = (row: Omit<SumRow, 'key'>) => ({
  currency: row.currency,
  grossMinor: row.gross,
  refundsMinor: row.refunded,
  chargebacksMinor: row.charged_back,
  netMinor: netOf(row),
  purchases: row.purchases,
  refunds: row.refunds,
  chargebacks: row.chargebacks,
});

const netOf = ({ gross, refunded, charged_back: chargedBack }: Omit<SumRow, 'key'>): number =>
  gross + refunded + chargedBack;

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
function addUp(rows: readonly SumRow[]): SumRow[] {
  const sum = (own: readonly SumRow[], name: Exclude<keyof SumRow, 'key' | 'currency'>): number =>
    own.reduce((total, row) => total + row[name], 0);
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => ({
    key: '',
    currency,
    gross: sum(own, 'gross'),
    refunded: sum(own, 'refunded'),
    charged_back: sum(own, 'charged_back'),
    purchases: sum(own, 'purchases'),
    refunds: sum(own, 'refunds'),
    chargebacks: sum(own, 'chargebacks'),
  }));
}

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
    const unattributedShare = row.gross === 0 ? null : (unattributed?.gross ?? 0) / row.gross;
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
