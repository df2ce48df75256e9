import { randomUUID } from 'node:crypto';
import type { Database } from '@service/database';
import { cancelClaimed, claimDue, loadClaimed, releaseClaimed } from './claim.sql.ts';

type Pool = Database['pool'];

/** A delivery this process holds a lease on. */
export interface ClaimedDelivery {
  deliveryId: string;
  accountId: string;
  endpointId: string;
  /** Attempts made before. */
  attempts: number;
  /** Proves the lease when the result is written. */
  claim: string;
  /** `performance.now()` just before it was claimed, so the lease ends no earlier than reckoned from here. */
  claimedAt: number;
  body: string;
  url: string;
  sealedSecret: string;
}

/** A claimed delivery whose endpoint is gone, or whose row retention has dropped: there is nothing to send. */
export type OrphanedDelivery = Omit<ClaimedDelivery, 'body' | 'url' | 'sealedSecret'>;

interface Claim {
  deliveries: ClaimedDelivery[];
  orphans: OrphanedDelivery[];
  count: number;
}

/** Takes up to `limit` due deliveries, oldest first, for `leaseSeconds`. Workers never wait for each other here. */
export async function claimDeliveries(
  pool: Pool,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<Claim> {
  const claim = randomUUID();
  const claimedAt = performance.now();
  const { rows: due } = await pool.query(claimDue, [limit, leaseSeconds, claim]);
  if (due.length === 0) return { deliveries: [], orphans: [], count: 0 };

  const ids: string[] = due.map((row) => row.delivery_id);
  const [lowest, highest] = idRange(ids);
  const accountIds = due.map((row) => row.account_id);
  const endpointIds = due.map((row) => row.endpoint_id);
  const { rows: loaded } = await pool.query(loadClaimed, [ids, accountIds, endpointIds, lowest, highest]);
  const loadedById = new Map(loaded.map((row) => [row.delivery_id, row]));

  const result: Claim = { deliveries: [], orphans: [], count: due.length };
  for (const { delivery_id: deliveryId, account_id: accountId, endpoint_id: endpointId, attempts } of due) {
    const held = { deliveryId, accountId, endpointId, attempts, claim, claimedAt };
    const { body, url, sealed_secret: sealedSecret } = loadedById.get(deliveryId);
    if (body === null || url === null) result.orphans.push(held);
    else result.deliveries.push({ ...held, body, url, sealedSecret });
  }
  return result;
}

/** Gives deliveries up unsent: they are due again after `waitSeconds`, and no try is spent. */
export async function releaseDeliveries(
  pool: Pool,
  held: readonly OrphanedDelivery[],
  waitSeconds: number,
): Promise<void> {
  await pool.query(releaseClaimed, [...toColumns(held), waitSeconds]);
}

/** Ends deliveries that can no longer be sent. */
export async function cancelDeliveries(pool: Pool, held: readonly OrphanedDelivery[]): Promise<void> {
  await pool.query(cancelClaimed, toColumns(held));
}

const toColumns = (held: readonly OrphanedDelivery[]): string[][] => [
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
