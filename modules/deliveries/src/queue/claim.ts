// Claims due deliveries for a worker. Leases and due times are the database's time only.
// A kept plan that was made when the queue was empty may read the whole queue: 140 ms a claim at 100,000 waiting deliveries instead of 3 ms.
// So a statement has a name only when it is sent over a connection with `scanSettings`; the others are planned each time.
import { column, inPartitions, nullable, rowsToColumns, statement, type Query } from '@service/database';
import { joinBody, joinedBody, lowestBodyId } from '../delivery.ts';
import type { EndpointKey } from '../endpoint/endpoint.ts';
import type { SealedDestination } from '../endpoint/open-destinations.ts';
import { deliveryPartitionedTables } from '../migrations/index.ts';
import {
  claimParked,
  oldestFirstTries,
  oldestOfEndpoints,
  oldestRetries,
  type ClaimStatements,
  type RowOfClaim,
} from './claim.sql.ts';
import type { ClaimedDelivery, Lease } from './lease.ts';

interface ScanOptions {
  /** Only deliveries that became due after this, in epoch seconds of the database. */
  since: number;
  /** The number of deliveries to scan. */
  limit: number;
  withoutEndpoints: readonly string[];
  withoutAccounts: readonly string[];
  /** The most that is claimed for one endpoint. */
  endpointMax: number;
  /** The most that is claimed for one account. */
  accountMax: number;
}

export interface Claimed {
  rows: ClaimedRow[];
  /** Destinations that the claim has read too. */
  destinations: ClaimedDestination[];
}

export type ClaimedDestination = EndpointKey & SealedDestination;

interface ClaimedOldest extends Claimed {
  /** Endpoints with deliveries that were scanned and not claimed. */
  more: EndpointKey[];
  /** The number of scanned deliveries; `until` is the due time of the last one. */
  seen: number;
  until: number;
}

/** The connection of a claim, and whether the claim reads contents. */
export interface ClaimConnection {
  query: Query;
  /**
   * With a day, the claim also reads what is sent, if that was made on this day, and where it is sent. `query` must then be that of a
   * connection with `scanSettings`. Postgres refuses the claim (42P01) when there are no partitions of the day.
   */
  day?: Date;
}

const send = (
  { query, day }: ClaimConnection,
  { bare, complete }: ClaimStatements,
  values: readonly unknown[],
): Promise<RowOfClaim[]> =>
  query(day ? inPartitions(complete, deliveryPartitionedTables, day) : bare, values);

/** Claims the oldest first tries of all endpoints. Workers never wait for each other here. */
export const claimFirstTries = async (
  connection: ClaimConnection,
  lease: Lease,
  options: ScanOptions,
): Promise<ClaimedOldest> => readScan(await send(connection, oldestFirstTries, scanValues(lease, options)));

/** The same for retries. */
export const claimRetries = async (
  query: Query,
  lease: Lease,
  options: ScanOptions,
): Promise<ClaimedOldest> => readScan(await query(oldestRetries, scanValues(lease, options)));

const scanValues = (lease: Lease, options: ScanOptions): unknown[] => [
  options.since,
  options.withoutEndpoints,
  options.withoutAccounts,
  options.limit,
  options.endpointMax,
  options.accountMax,
  lease.token,
  lease.worker,
  lease.seconds,
];

function readScan(rows: readonly RowOfClaim[]): ClaimedOldest {
  const seen = rows.find(({ kind }) => kind === 'seen')!;
  return {
    ...readClaim(rows),
    more: rows.filter(({ kind }) => kind === 'more'),
    seen: seen.attempts,
    until: seen.dueAtSeconds,
  };
}

function readClaim(rows: readonly RowOfClaim[]): Claimed {
  const claimed: Claimed = { rows: [], destinations: [] };
  for (const row of rows) {
    if (row.kind === 'taken') claimed.rows.push(readTaken(row));
    else if (row.kind === 'endpoint') claimed.destinations.push(row as ClaimedDestination);
  }
  return claimed;
}

function readTaken(row: RowOfClaim): ClaimedRow {
  const { deliveryId, accountId, endpointId, attempts, tries, dueAtSeconds, queuedMs } = row;
  const { isTest, body, registrationId, trace } = row;
  // The body is long, or may be in the partition of another day.
  const content =
    body == null ? undefined : { isTest: isTest!, body, registrationId: registrationId!, trace: trace! };
  return { deliveryId, accountId, endpointId, attempts, tries, dueAtSeconds, queuedMs, content };
}

/** Claims the oldest deliveries of some endpoints that became due since a time, `count` of each. */
export async function claimOfEndpoints(
  connection: ClaimConnection,
  lease: Lease,
  wanted: readonly (EndpointKey & { count: number; since: number })[],
): Promise<Claimed> {
  const columns = rowsToColumns(wanted, 'accountId', 'endpointId', 'count', 'since');
  return readClaim(
    await send(connection, oldestOfEndpoints, [...columns, lease.token, lease.worker, lease.seconds]),
  );
}

/** Claims one delivery of each paused endpoint whose probe is due. */
export const claimProbes = async (query: Query, lease: Lease): Promise<Claimed> => ({
  rows: await query(claimParked, [lease.token, lease.worker, lease.seconds]),
  destinations: [],
});

/** A claimed row of the queue, with what is sent if that was read already. */
export type ClaimedRow = Omit<ClaimedDelivery, keyof Claim | keyof Content | 'joinUrl'> & {
  content?: Content | undefined;
};
type Content = Pick<ClaimedDelivery, 'isTest' | 'body' | 'registrationId' | 'trace'>;
type Claim = Pick<ClaimedDelivery, 'claim' | 'claimedAt' | 'isProbe'>;

/** Reads what is sent, of the rows without it. */
export async function loadBodies(
  query: Query,
  rows: readonly ClaimedRow[],
  { claim, claimedAt, isProbe }: Claim,
): Promise<ClaimedDelivery[]> {
  const unread = rows.filter(({ content }) => content === undefined);
  const loaded = unread.length === 0 ? [] : await readContents(query, unread);
  const loadedById = new Map(loaded.map((row) => [row.id, row]));
  const contentOf = ({ deliveryId, accountId }: ClaimedRow): Content => {
    const found = loadedById.get(deliveryId);
    return found?.accountId === accountId ? found : deleted;
  };
  return rows.map((row) => {
    const { deliveryId, accountId, endpointId, attempts, tries, dueAtSeconds, queuedMs } = row;
    const { isTest, body, registrationId, trace } = row.content ?? contentOf(row);
    return {
      deliveryId,
      accountId,
      endpointId,
      attempts,
      tries,
      dueAtSeconds,
      queuedMs,
      claim,
      claimedAt,
      isProbe,
      isTest,
      body,
      registrationId,
      trace,
      joinUrl: undefined,
    };
  });
}

const deleted: Content = { isTest: false, body: null, registrationId: null, trace: null };

async function readContents(query: Query, rows: readonly ClaimedRow[]) {
  const ids = rows.map((row) => row.deliveryId);
  const [lowest, highest] = idRange(ids);
  return query(selectBodies, [ids, lowest, highest, lowestBodyId(lowest)]);
}

/** The lowest and the highest of some ids; ids in canonical form sort as text as they do in the database. */
export function idRange(ids: readonly string[]): [lowest: string, highest: string] {
  let [lowest, highest] = [ids[0]!, ids[0]!];
  for (const id of ids) {
    if (id < lowest) lowest = id;
    if (id > highest) highest = id;
  }
  return [lowest, highest];
}

/**
 * $1 delivery ids, $2 the lowest and $3 the highest of them and $4 the lowest id of a body, which keep the partitions of all other
 * days out of the plan. The caller compares the accounts: with a condition on the account, Postgres would use the slower index of the
 * endpoints.
 */
const selectBodies = statement({
  text: `
    select delivery.id, delivery.account_id as "accountId", delivery.is_test as "isTest",
      delivery.registration_id as "registrationId", delivery.trace, ${joinedBody} as body
    from deliveries.delivery ${joinBody('$4', '$3')}
    where delivery.id = any($1::uuid[]) and delivery.id between $2 and $3`,
  allAccounts: 'The claimed deliveries are of several accounts.',
  row: {
    id: column.id,
    accountId: column.id,
    isTest: column.boolean,
    registrationId: nullable(column.id),
    trace: nullable(column.text),
    body: nullable(column.text),
  },
});
