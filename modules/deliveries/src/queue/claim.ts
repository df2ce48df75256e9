import type { Database } from '@service/database';
import type { EndpointKey } from '../endpoint/endpoint-key.ts';
import {
  cancelClaimed,
  claimFirstTries,
  claimOfEndpoints,
  claimProbes,
  claimRetries,
  holdClaimed,
  loadBodies,
  releaseClaimed,
  releaseTokens,
} from './claim.sql.ts';
import { parkClaimed } from '../suspension/suspension.sql.ts';

type Pool = Database['pool'];

/** A delivery this process holds a lease on. */
export interface ClaimedDelivery {
  deliveryId: string;
  accountId: string;
  endpointId: string;
  /** Attempts made before. */
  attempts: number;
  /** Those of them that count. */
  tries: number;
  /** When it was due, in epoch seconds of the database. */
  dueAtSeconds: number;
  /** How long it had been due when it was claimed. */
  queuedMs: number;
  /** Proves the lease when the result is written. */
  claim: string;
  /** `performance.now()` just before it was claimed, so the lease ends no earlier than reckoned from here. */
  claimedAt: number;
  /** Sent to see whether a paused endpoint answers again. */
  isProbe: boolean;
  /** Null when retention has dropped it: there is nothing to send. */
  body: string | null;
}

/** Whose a claim is, for how long, and what proves it. */
export interface Lease {
  worker: number;
  seconds: number;
  token: string;
}

interface OldestOptions {
  which: 'first tries' | 'retries';
  /** Only what became due after this, in epoch seconds of the database. */
  since: number;
  /** How many are looked at. */
  limit: number;
  withoutEndpoints: readonly string[];
  withoutAccounts: readonly string[];
  /** Most of one endpoint. */
  endpointMax: number;
  /** Most of one account. */
  accountMax: number;
}

interface Oldest {
  deliveries: ClaimedDelivery[];
  /** Endpoints that have more than was taken. */
  more: EndpointKey[];
  /** How many were looked at; the last of them had been due since `until`. */
  seen: number;
  until: number;
}

/** Takes the oldest that are due, whoever they are for. Workers never wait for each other here. */
export async function claimOldest(pool: Pool, lease: Lease, options: OldestOptions): Promise<Oldest> {
  const claimedAt = performance.now();
  const { rows } = await pool.query(options.which === 'retries' ? claimRetries : claimFirstTries, [
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
  const seen = rows.find((row) => row.kind === 'seen');
  return {
    deliveries: await loadClaimed(
      pool,
      rows.filter((row) => row.kind === 'taken'),
      { claim: lease.token, claimedAt, isProbe: false },
    ),
    more: rows.filter((row) => row.kind === 'more').map(toEndpointKey),
    seen: seen.attempts,
    until: seen.due_at_seconds,
  };
}

/** Takes the oldest of some endpoints that became due since a time, so many of each. */
export async function claimOf(
  pool: Pool,
  lease: Lease,
  wanted: readonly (EndpointKey & { room: number; since: number })[],
): Promise<ClaimedDelivery[]> {
  const claimedAt = performance.now();
  const { rows } = await pool.query(claimOfEndpoints, [
    wanted.map(({ accountId }) => accountId),
    wanted.map(({ endpointId }) => endpointId),
    wanted.map(({ room }) => room),
    wanted.map(({ since }) => since),
    lease.token,
    lease.worker,
    lease.seconds,
  ]);
  return loadClaimed(pool, rows, { claim: lease.token, claimedAt, isProbe: false });
}

/** Takes one delivery of each paused endpoint that is to be probed now. */
export async function claimToProbe(pool: Pool, lease: Lease): Promise<ClaimedDelivery[]> {
  const claimedAt = performance.now();
  const { rows } = await pool.query(claimProbes, [lease.token, lease.worker, lease.seconds]);
  return loadClaimed(pool, rows, { claim: lease.token, claimedAt, isProbe: true });
}

/** Gives deliveries up unsent: they are due again after `waitSeconds`, and no try is spent. */
export async function releaseDeliveries(
  pool: Pool,
  held: readonly ClaimedDelivery[],
  waitSeconds: number,
): Promise<void> {
  await pool.query(releaseClaimed, [...toColumns(held), waitSeconds]);
}

/** Gives up what was claimed with tokens of which nobody knows what came of them: the answer was lost, or the bodies were. */
export async function releaseLost(pool: Pool, tokens: readonly string[]): Promise<void> {
  await pool.query(releaseTokens, [tokens]);
}

/** Gives deliveries up unsent until their endpoint, which is paused, recovers. */
export async function holdDeliveries(pool: Pool, held: readonly ClaimedDelivery[]): Promise<void> {
  await pool.query(holdClaimed, toColumns(held));
}

/** Gives deliveries up unsent until their account, which is suspended, is resumed. */
export async function parkDeliveries(pool: Pool, claimed: readonly ClaimedDelivery[]): Promise<void> {
  await pool.query(parkClaimed, toColumns(claimed));
}

/** Ends deliveries that can no longer be sent. */
export async function cancelDeliveries(pool: Pool, held: readonly ClaimedDelivery[]): Promise<void> {
  await pool.query(cancelClaimed, toColumns(held));
}

interface ClaimedRow {
  delivery_id: string;
  account_id: string;
  endpoint_id: string;
  attempts: number;
  tries: number;
  due_at_seconds: number;
  queued_ms: number;
}

interface BodyRow {
  id: string;
  account_id: string;
  body: string;
}

async function loadClaimed(
  pool: Pool,
  rows: readonly ClaimedRow[],
  claim: Pick<ClaimedDelivery, 'claim' | 'claimedAt' | 'isProbe'>,
): Promise<ClaimedDelivery[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.delivery_id);
  const { rows: loaded } = await pool.query<BodyRow>(loadBodies, [ids, ...idRange(ids)]);
  const loadedById = new Map(loaded.map((row) => [row.id, row]));
  const bodyOf = ({ delivery_id: id, account_id: accountId }: ClaimedRow): string | null => {
    const row = loadedById.get(id);
    return row?.account_id === accountId ? row.body : null;
  };
  return rows.map((row) => ({
    deliveryId: row.delivery_id,
    ...toEndpointKey(row),
    attempts: row.attempts,
    tries: row.tries,
    dueAtSeconds: row.due_at_seconds,
    queuedMs: row.queued_ms,
    ...claim,
    body: bodyOf(row),
  }));
}

const toEndpointKey = (row: { account_id: string; endpoint_id: string }): EndpointKey => ({
  accountId: row.account_id,
  endpointId: row.endpoint_id,
});

const toColumns = (held: readonly ClaimedDelivery[]): string[][] => [
  held.map((delivery) => delivery.deliveryId),
  held.map((delivery) => delivery.accountId),
  held.map((delivery) => delivery.claim),
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
