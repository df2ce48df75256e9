// Counts the deliveries of each quarter of an hour once, after it has ended. So a histogram costs the same for any number of
// deliveries, and no delivery pays for it when it is made or sent.
//
// The number of deliveries of a past quarter never changes: only their ends do, and these are read from the deliveries. The
// counts are exact as long as no delivery of the quarter is committed after it was counted, see `countEnded`.
import { defineEntity, p } from '@mikro-orm/postgresql';
import { column, idAt, idTime, quarterMs, statement } from '@service/database';
import type { Database, Transaction } from '@service/database';

/**
 * Deliveries to one endpoint that were made in one quarter of an hour, written once, after the quarter has ended. Rows of the
 * endpoint `allEndpoints` count those of the account. Partitioned and dropped by day like the deliveries.
 */
export const DeliveryCount = defineEntity({
  name: 'DeliveryCount',
  tableName: 'delivery_count',
  schema: 'deliveries',
  indexes: [{ name: 'delivery_count_endpoint_index', properties: ['accountId', 'endpointId', 'firstId'] }],
  properties: {
    /** The lowest id of the quarter. */
    firstId: p.uuid().primary(),
    accountId: p.uuid().primary(),
    endpointId: p.uuid().primary(),
    deliveries: p.integer(),
    /** Milliseconds of the last attempts of the newest deliveries, `storedSampleMax` at most, as they were when it was counted. */
    durations: p.array<number>((text) => Number(text)).columnType('int[]'),
  },
});

/** The endpoint id in the counts of an account. No endpoint has it. */
export const allEndpoints = '00000000-0000-0000-0000-000000000000';

/** Durations in one row. */
export const storedSampleMax = 25;

/** Steps of one call. */
const stepsMax = 20;

/** Deliveries of one step. A quarter with more of them is a step of its own. */
const stepDeliveries = 50_000;

/** Quarters of one step. */
const stepQuarters = 96;

/**
 * Counts the quarters that have ended and are not counted, oldest first. Any number of workers may call it: they write the same
 * rows. `now` is the database's time unless a test gives another.
 */
export async function countQuarters(
  database: Pick<Database, 'transaction'>,
  { now }: { now?: Date } = {},
): Promise<void> {
  for (let step = 0; step < stepsMax; step += 1) {
    const hasCounted = await database.transaction((tx) => countNext(tx, now));
    if (!hasCounted) return;
  }
}

/** False when no quarter with deliveries is left that has ended. */
async function countNext(tx: Transaction, now: Date | undefined): Promise<boolean> {
  const [last] = await tx.query(selectLast, []);
  const since = last === undefined ? 0 : idTime(last.id).getTime() + quarterMs;
  const [next] = await tx.query(selectNext, [idAt(new Date(since))]);
  if (next === undefined) return false;
  const startMs = quarterOf(next.id);
  const [later] = await tx.query(selectLater, [next.id]);
  const distance = later === undefined ? stepQuarters : (quarterOf(later.id) - startMs) / quarterMs;
  const quarters = Math.min(Math.max(distance, 1), stepQuarters);
  const starts = Array.from({ length: quarters }, (_, index) => new Date(startMs + index * quarterMs));
  const ends = starts.map((start) => new Date(start.getTime() + quarterMs));
  const [ended] = await tx.query(countEnded, [ends, now ?? null]);
  if (ended!.count === 0) return false;
  const firstIds = starts.slice(0, ended!.count).map(idAt);
  const endIds = ends.slice(0, ended!.count).map(idAt);
  await tx.query(insertCounts, [firstIds, endIds, firstIds[0], endIds.at(-1)]);
  return true;
}

/** The start of the quarter of an id, in milliseconds. */
const quarterOf = (id: string): number => Math.floor(idTime(id).getTime() / quarterMs) * quarterMs;

const allAccounts = 'The deliveries of all accounts are counted together.';
const row = { id: column.id };

const selectLast = statement({
  name: 'deliveries.select_last_counted',
  text: 'select first_id as id from deliveries.delivery_count order by first_id desc limit 1',
  row,
  allAccounts,
});

// Without a name, so that only partitions from there on are planned.
const selectNext = statement({
  text: 'select id from deliveries.delivery where id >= $1 order by id limit 1',
  row,
  allAccounts,
});

const selectLater = statement({
  text: `select id from deliveries.delivery where id >= $1 order by id offset ${stepDeliveries} limit 1`,
  row,
  allAccounts,
});

/**
 * $1 ends of quarters, $2 the time or null. A transaction makes the ids of its deliveries before its commit. So a quarter counts
 * as ended a minute after its end, when no transaction of the service is open that began until half a minute after it.
 */
const countEnded = statement({
  text: `
    select count(*)::integer as count from unnest($1::timestamptz[]) as quarter (end_at)
    where end_at + interval '60 s' <= coalesce($2::timestamptz, now()) and not exists (
      select from pg_stat_activity
      where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
        and xact_start < end_at + interval '30 s')`,
  row: { count: column.integer },
});

const newestOf = (endpoint: string): string => `
  array(
    select duration_ms from (
      select id from deliveries.delivery
      where account_id = counted.account_id ${endpoint} and id >= counted.first_id and id < counted.end_id
        and id >= $3 and id < $4
      order by id desc limit ${storedSampleMax}
    ) newest
    cross join lateral (
      select duration_ms from deliveries.attempt
      where delivery_id = newest.id and account_id = counted.account_id and delivery_id >= $3 and delivery_id < $4
      order by number desc limit 1
    ) last)`;

/**
 * $1 the first ids of the quarters and $2 their ends, $3 the first and $4 the end of all, so that only their partitions are planned.
 * Two workers insert in one order, because they could otherwise wait for each other.
 */
const insertCounts = statement({
  text: `
    insert into deliveries.delivery_count (first_id, account_id, endpoint_id, deliveries, durations)
    select first_id, account_id, coalesce(endpoint_id, '${allEndpoints}'), deliveries,
      case when endpoint_id is null then ${newestOf('')} else ${newestOf('and endpoint_id = counted.endpoint_id')} end
    from (
      select ($1::uuid[])[number] as first_id, ($2::uuid[])[number] as end_id, account_id, endpoint_id,
        count(*)::integer as deliveries
      from (
        select width_bucket(id, $1::uuid[]) as number, account_id, endpoint_id
        from deliveries.delivery where id >= $3 and id < $4
      ) delivery
      group by grouping sets ((number, account_id, endpoint_id), (number, account_id))
    ) counted
    order by first_id, account_id, endpoint_id
    on conflict do nothing`,
  allAccounts,
});
