// Sums of a time range between any two instants. The ledger keeps sums for whole days and whole quarters of an hour. A range is cut at
// the nearest of their borders, and the events between a border and an end of the range are added, or subtracted.
import type { RevenueReader } from '@service/attendees';
import type { Period } from '@service/catalogue';
import { column, quarterMs, statement, toSnakeCase } from '@service/database';
import type { AccountQueries, RowWith } from '@service/database';
import { allWebinars, eventSums, type TotalDimension } from '../ledger/totals.ts';
import { dayMs, periodsOf, type TimeRange } from './days.ts';
import { groupsMax } from './summary-schemas.ts';

const sumRow = {
  currency: column.text,
  grossMinor: column.float,
  refundsMinor: column.float,
  chargebacksMinor: column.float,
  purchases: column.float,
  renewalsMinor: column.float,
  renewals: column.float,
  refunds: column.float,
  chargebacks: column.float,
};

export type SumRow = RowWith<typeof sumRow> & { key: string };

export const sumNames = Object.keys(eventSums) as (keyof typeof eventSums)[];

const columns = sumNames.map(toSnakeCase).join(', ');

const summed = sumNames.map((name) => `sum(${toSnakeCase(name)})::float8 as "${name}"`).join(', ');

const isNotZero = sumNames.map((name) => `sum(${toSnakeCase(name)}) <> 0`).join(' or ');

/** Of the events between a border and an end. */
const partSums = sumNames
  .map((name) => `part.sign * (${eventSums[name]}) as ${toSnakeCase(name)}`)
  .join(', ');

/** The events `e` of a part, with their credit `c`. The events of one webinar are found in the index of credits by webinar. */
const eventsOf = {
  workspace: `revenue.credit c
    cross join lateral (select * from revenue.revenue_event where account_id = $1 and id = c.id limit 1) e
    where c.account_id = $1 and c.occurred_at >= part.since and c.occurred_at < part.until`,
  webinar: `revenue.credit c
    cross join lateral (select * from revenue.revenue_event where account_id = $1 and id = c.id limit 1) e
    where c.account_id = $1 and c.webinar_id = $2 and c.occurred_at >= part.since and c.occurred_at < part.until`,
};

type Scope = keyof typeof eventsOf;

const keyOf: Record<TotalDimension, string> = {
  level: 'c.level',
  webinar: `coalesce(c.webinar_id::text, '')`,
  offer: `coalesce(c.interaction_id::text, '')`,
  utm_source: `coalesce(c.utm_source, '')`,
  source: 'e.provider',
};

// Without names, like all statements of reports: a plan from the time when there were no sums would read all of them.
//
// $1 account, $2 webinar or allWebinars, $3 starts, $4 ends and $5 signs of the parts, $6 currency or null, $7 and $8 the whole days.
const byField = (dimension: TotalDimension, scope: Scope) =>
  statement({
    text: `
      select key, currency, ${summed} from (
        select key, currency, ${columns} from revenue.total
        where account_id = $1 and webinar_id = $2 and dimension = '${dimension}' and day >= $7::date and day < $8::date
        union all
        select ${keyOf[dimension]}, e.currency, ${partSums}
        from unnest($3::timestamptz[], $4::timestamptz[], $5::int[]) as part (since, until, sign)
        cross join ${eventsOf[scope]}
      ) counted
      where $6::text is null or currency = $6
      group by 1, 2 having ${isNotZero} order by currency, "grossMinor" desc, key limit ${groupsMax + 1}`,
    row: { key: column.text, ...sumRow },
  });

// $7 and $8 the whole quarters, $9 the starts of the periods. The quarter of the first border may begin before the range.
const byPeriod = (scope: Scope) =>
  statement({
    text: `
      select width_bucket(greatest(at, ($9::timestamptz[])[1]), $9) as place, currency, ${summed} from (
        select quarter as at, currency, ${columns} from revenue.quarter_total
        where account_id = $1 and webinar_id = $2 and quarter >= $7 and quarter < $8
        union all
        select c.occurred_at, e.currency, ${partSums}
        from unnest($3::timestamptz[], $4::timestamptz[], $5::int[]) as part (since, until, sign)
        cross join ${eventsOf[scope]}
      ) counted
      where $6::text is null or currency = $6
      group by 1, 2 having ${isNotZero} order by currency, place limit ${groupsMax + 1}`,
    row: { place: column.integer, ...sumRow },
  });

const ofField = (scope: Scope) => ({
  level: byField('level', scope),
  webinar: byField('webinar', scope),
  offer: byField('offer', scope),
  utm_source: byField('utm_source', scope),
  source: byField('source', scope),
});

const statements = {
  workspace: { field: ofField('workspace'), period: byPeriod('workspace') },
  webinar: { field: ofField('webinar'), period: byPeriod('webinar') },
};

interface SumsOptions {
  range: TimeRange;
  webinarId: string | undefined;
  currency: string | undefined;
}

/** The sums of each value of a field, at most `groupsMax` and one more: by currency, the largest first. */
export function sumByField(
  { query, accountId }: AccountQueries,
  dimension: TotalDimension,
  options: SumsOptions,
): Promise<SumRow[]> {
  const { whole, values } = cut(accountId, options, dayMs);
  return query(statements[scopeOf(options)].field[dimension], [
    ...values,
    dayOf(whole.from),
    dayOf(whole.to),
  ]);
}

/** The sums of each period that has events, at most `groupsMax` and one more: by currency, in their order. */
export async function sumByPeriod(
  { query, accountId }: AccountQueries,
  { period, timeZone }: { period: Period; timeZone: string },
  options: SumsOptions,
): Promise<SumRow[]> {
  const { whole, values } = cut(accountId, options, quarterMs);
  const { starts, keys } = periodsOf(period, options.range, timeZone);
  const rows = await query(statements[scopeOf(options)].period, [...values, whole.from, whole.to, starts]);
  return rows.map(({ place, ...sums }) => ({ key: keys[place - 1]!, ...sums }));
}

const scopeOf = ({ webinarId }: SumsOptions): Scope => (webinarId === undefined ? 'workspace' : 'webinar');

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Cuts a range at the borders that are nearest to its ends. */
function cut(accountId: string, { range: { from, to }, webinarId, currency }: SumsOptions, stepMs: number) {
  const nearest = (time: Date): Date => new Date(Math.round(time.getTime() / stepMs) * stepMs);
  const whole: TimeRange = { from: nearest(from), to: nearest(to) };
  const parts = [part(from, whole.from), part(whole.to, to)].filter((one) => one !== undefined);
  return {
    whole,
    values: [
      accountId,
      webinarId ?? allWebinars,
      parts.map(({ since }) => since),
      parts.map(({ until }) => until),
      parts.map(({ sign }) => sign),
      currency ?? null,
    ],
  };
}

/** The events from `start` to `end`. They are subtracted when `end` is earlier. */
function part(start: Date, end: Date): { since: Date; until: Date; sign: 1 | -1 } | undefined {
  if (start.getTime() === end.getTime()) return undefined;
  return start < end ? { since: start, until: end, sign: 1 } : { since: end, until: start, sign: -1 };
}

const sumByRegistration = statement({
  name: 'revenue.sum_by_registration',
  text: `
    select c.registration_id, e.currency, sum(coalesce(c.counted_minor, e.amount_minor))::float8 as net
    from unnest($2::uuid[]) as wanted (id)
    join revenue.credit c on c.account_id = $1 and c.registration_id = wanted.id
    join revenue.revenue_event e on e.account_id = c.account_id and e.id = c.id
    group by c.registration_id, e.currency
    order by c.registration_id, e.currency`,
  row: { registration_id: column.id, currency: column.text, net: column.float },
});

/** The net revenue of registrations, by registration id. Given to the module attendees by the composition. */
export const readRegistrationRevenue: RevenueReader = async ({ query, accountId }, registrationIds) => {
  if (registrationIds.length === 0) return new Map();
  const rows = await query(sumByRegistration, [accountId, registrationIds]);
  const byRegistration = Map.groupBy(rows, (row) => row.registration_id);
  return new Map(
    [...byRegistration].map(([id, own]) => [
      id,
      own.map(({ currency, net }) => ({ currency, netMinor: net })),
    ]),
  );
};
