import type { Query } from '@service/database';
import type { EndpointKey } from '../endpoint/endpoint.ts';
import { lowestBodyId } from '../history/body.ts';
import * as suspension from '../suspension/suspended-accounts.ts';
import * as sql from './claim.sql.ts';

/** A delivery that this process has leased. */
export interface ClaimedDelivery {
  deliveryId: string;
  accountId: string;
  endpointId: string;
  /** Attempts made before. */
  attempts: number;
  /** Attempts that count as tries. */
  tries: number;
  /** Due time in epoch seconds of the database. */
  dueAtSeconds: number;
  /** Time from its due time to the claim. */
  queuedMs: number;
  /** The token that proves the lease when the result is written. */
  claim: string;
  /** `performance.now()` just before the claim. The lease ends no earlier than its length after this. */
  claimedAt: number;
  /** Sent to find out whether a paused endpoint answers again. */
  isProbe: boolean;
  /** A sample that tests the endpoint: it is tried once, also while the endpoint is paused. */
  isTest: boolean;
  /** Null when retention has deleted the delivery: there is nothing to send. */
  body: string | null;
}

export interface Lease {
  worker: number;
  seconds: number;
  token: string;
}

interface OldestOptions {
  part: 'first tries' | 'retries';
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

interface ClaimedOldest {
  deliveries: ClaimedDelivery[];
  /** Endpoints with deliveries that were scanned and not claimed. */
  more: EndpointKey[];
  /** The number of scanned deliveries; `until` is the due time of the last one. */
  seen: number;
  until: number;
}

/** Claims the oldest due deliveries of all endpoints. Workers never wait for each other here. */
export async function claimOldest(
  query: Query,
  lease: Lease,
  options: OldestOptions,
): Promise<ClaimedOldest> {
  const claimedAt = performance.now();
  const rows = await query(options.part === 'retries' ? sql.claimRetries : sql.claimFirstTries, [
    options.since,
    options.withoutEndpoints,
    options.withoutAccounts,
    options.limit,
    options.endpointMax,
    options.accountMax,
    lease.token,
    lease.worker,
    lease.seconds,
  ]);
  const seen = rows.find(({ kind }) => kind === 'seen')!;
  const taken = rows.filter(({ kind }) => kind === 'taken');
  return {
    deliveries: await loadBodies(query, taken, { claim: lease.token, claimedAt, isProbe: false }),
    more: rows.filter(({ kind }) => kind === 'more'),
    seen: seen.attempts,
    until: seen.dueAtSeconds,
  };
}

/** Claims the oldest deliveries of some endpoints that became due since a time, `count` of each. */
export async function claimOfEndpoints(
  query: Query,
  lease: Lease,
  wanted: readonly (EndpointKey & { count: number; since: number })[],
): Promise<{ deliveries: ClaimedDelivery[] }> {
  const claimedAt = performance.now();
  const rows = await query(sql.claimOfEndpoints, [
    wanted.map(({ accountId }) => accountId),
    wanted.map(({ endpointId }) => endpointId),
    wanted.map(({ count }) => count),
    wanted.map(({ since }) => since),
    lease.token,
    lease.worker,
    lease.seconds,
  ]);
  return { deliveries: await loadBodies(query, rows, { claim: lease.token, claimedAt, isProbe: false }) };
}

/** Claims one delivery of each paused endpoint whose probe is due. */
export async function claimProbes(query: Query, lease: Lease): Promise<{ deliveries: ClaimedDelivery[] }> {
  const claimedAt = performance.now();
  const rows = await query(sql.claimProbes, [lease.token, lease.worker, lease.seconds]);
  return { deliveries: await loadBodies(query, rows, { claim: lease.token, claimedAt, isProbe: true }) };
}

/** Gives deliveries back unsent. They are due again after `waitSeconds`, and no try is spent. */
export async function releaseDeliveries(
  query: Query,
  claimed: readonly ClaimedDelivery[],
  waitSeconds: number,
): Promise<void> {
  await query(sql.releaseClaimed, [...toColumns(claimed), waitSeconds]);
}

/** Gives back all deliveries of claims whose answer was lost, so that the worker does not know them. */
export async function releaseTokens(query: Query, tokens: readonly string[]): Promise<void> {
  await query(sql.releaseTokens, [tokens]);
}

/** Gives deliveries back unsent until their paused endpoint recovers, or their halted one is resumed. */
export async function parkForPausedEndpoint(
  query: Query,
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  await query(sql.parkClaimed, toColumns(claimed));
}

/** Gives deliveries back unsent until their suspended account is resumed. */
export async function parkForSuspendedAccount(
  query: Query,
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  await query(suspension.parkClaimed, toColumns(claimed));
}

/** Ends deliveries that cannot be sent any more. */
export async function cancelDeliveries(query: Query, claimed: readonly ClaimedDelivery[]): Promise<void> {
  await query(sql.cancelClaimed, toColumns(claimed));
}

type ClaimedRow = Omit<ClaimedDelivery, keyof Claim | 'isTest' | 'body'>;
type Claim = Pick<ClaimedDelivery, 'claim' | 'claimedAt' | 'isProbe'>;

async function loadBodies(
  query: Query,
  rows: readonly ClaimedRow[],
  claim: Claim,
): Promise<ClaimedDelivery[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.deliveryId);
  const [lowest, highest] = idRange(ids);
  const loaded = await query(sql.loadBodies, [ids, lowest, highest, lowestBodyId(lowest)]);
  const loadedById = new Map(loaded.map((row) => [row.id, row]));
  return rows.map((row) => {
    const found = loadedById.get(row.deliveryId);
    const isOwn = found?.account_id === row.accountId;
    return { ...row, ...claim, isTest: isOwn && found.is_test, body: isOwn ? found.body : null };
  });
}

const toColumns = (claimed: readonly ClaimedDelivery[]): string[][] => [
  claimed.map((delivery) => delivery.deliveryId),
  claimed.map((delivery) => delivery.accountId),
  claimed.map((delivery) => delivery.claim),
];

/** The lowest and the highest of some ids; ids in canonical form sort as text as they do in the database. */
export function idRange(ids: readonly string[]): [lowest: string, highest: string] {
  let [lowest, highest] = [ids[0]!, ids[0]!];
  for (const id of ids) {
    if (id < lowest) lowest = id;
    if (id > highest) highest = id;
  }
  return [lowest, highest];
}
