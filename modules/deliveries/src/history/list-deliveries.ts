// Lists of an endpoint's deliveries. What is looked at is bounded, however much history there is.
import { idAt, type AccountReader } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import { findByIds } from './history.ts';
import type { DeliveryOutput, DeliveryStatus } from './schemas.ts';
import { deliveryToOutput } from './to-output.ts';

export interface DeliveryQuery {
  endpointId: string;
  limit: number;
  cursor?: string | undefined;
  status?: DeliveryStatus | undefined;
  eventType?: string | undefined;
  /** ISO 8601: made at this moment or later. */
  from?: string | undefined;
  /** ISO 8601: made before this moment. */
  to?: string | undefined;
}

export interface DeliveryPage {
  data: DeliveryOutput[];
  pagination: { nextCursor: string | null; hasMore: boolean };
}

/** A statement that gives ids, newest first, and its values. */
interface Search {
  sql: string;
  values: unknown[];
}

/** How many deliveries one page looks at while few of them match. */
const lookedAtMax = 5000;

const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Newest first. Where few deliveries match, a page may end early, even empty, and still name the next one. The cursor
 * belongs to the endpoint and the filters.
 */
export async function listDeliveries(
  reader: AccountReader,
  { limit, cursor, ...filters }: DeliveryQuery,
): Promise<DeliveryPage> {
  const after = cursorId(cursor, filters);
  const until = filters.to === undefined ? highestId : idAt(new Date(filters.to));
  const range = {
    before: after !== undefined && after < until ? after : until,
    since: filters.from === undefined ? lowestId : idAt(new Date(filters.from)),
  };
  const search = isWaiting(filters.status)
    ? searchQueue(reader, filters, range)
    : searchHistory(reader, filters, range);
  const found = await run(reader, `${search.sql} limit ?`, [...search.values, limit + 1]);
  const stoppedAt =
    found.length > limit || isWaiting(filters.status)
      ? undefined
      : await lastLookedAt(reader, filters, range);
  const rows = await findByIds(reader, found);
  return toPage(rows, { limit, filters, stoppedAt, toItem: deliveryToOutput });
}

type Filters = Omit<DeliveryQuery, 'limit' | 'cursor'>;

interface IdRange {
  before: string;
  since: string;
}

const waitingStates = {
  queued: 'attempts = 0 and (leased_until is null or leased_until <= now())',
  retrying: 'attempts > 0 and (leased_until is null or leased_until <= now())',
  delivering: 'leased_until > now()',
};

type WaitingStatus = keyof typeof waitingStates;

const isWaiting = (status: DeliveryStatus | undefined): status is WaitingStatus =>
  status !== undefined && status in waitingStates;

/** What waits is in the queue, which is small beside history. */
function searchQueue({ accountId }: AccountReader, filters: Filters, { before, since }: IdRange): Search {
  const { endpointId, eventType } = filters;
  return {
    sql: `
      select due.delivery_id as id from deliveries.due
      where due.account_id = ? and due.endpoint_id = ? and due.delivery_id < ? and due.delivery_id >= ?
        and ${waitingStates[filters.status as WaitingStatus]}
        ${
          eventType === undefined
            ? ''
            : `and (select event_type from deliveries.delivery
                    where delivery.id = due.delivery_id and delivery.account_id = due.account_id) = ?`
        }
      order by due.delivery_id desc`,
    values: [accountId, endpointId, before, since, ...(eventType === undefined ? [] : [eventType])],
  };
}

/** The endpoint's newest come off an index, and those that ended badly off one of their own. */
function searchHistory(reader: AccountReader, filters: Filters, range: IdRange): Search {
  const walk = walkHistory(reader, filters, range);
  const { status, eventType } = filters;
  return {
    sql: `
      select id from (${walk.sql} limit ${lookedAtMax}) looked_at
      where true ${status === 'success' ? `and ${isSuccess}` : ''} ${eventType === undefined ? '' : 'and event_type = ?'}
      order by id desc`,
    values: [...walk.values, ...(eventType === undefined ? [] : [eventType])],
  };
}

function walkHistory({ accountId }: AccountReader, filters: Filters, { before, since }: IdRange): Search {
  const endedAs = filters.status === 'failure' || filters.status === 'cancelled' ? filters.status : undefined;
  return {
    sql: `
      select id, account_id, event_type, ended_as from deliveries.delivery
      where account_id = ? and endpoint_id = ? and id < ? and id >= ? ${endedAs ? 'and ended_as = ?' : ''}
      order by id desc`,
    values: [accountId, filters.endpointId, before, since, ...(endedAs ? [endedAs] : [])],
  };
}

// Neither waiting nor badly ended, and the last attempt has no failure. Look-ups one by one, so that a page stops as soon
// as it is full.
const isSuccess = `
  ended_as is null
  and (select due.delivery_id from deliveries.due
       where due.delivery_id = looked_at.id and due.account_id = looked_at.account_id) is null
  and (select failure is null from deliveries.attempt
       where attempt.delivery_id = looked_at.id and attempt.account_id = looked_at.account_id
       order by number desc limit 1)`;

/** The oldest that a search looked at, if there may be more behind it. */
async function lastLookedAt(
  reader: AccountReader,
  filters: Filters,
  range: IdRange,
): Promise<string | undefined> {
  const walk = walkHistory(reader, filters, range);
  const [last] = await run(reader, `${walk.sql} limit 1 offset ${lookedAtMax - 1}`, walk.values);
  return last;
}

async function run({ em }: AccountReader, sql: string, values: readonly unknown[]): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(sql, [...values]);
  return rows.map((row) => row.id);
}
