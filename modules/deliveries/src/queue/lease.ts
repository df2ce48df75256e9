// The lease of deliveries that this worker has claimed, and the ways to give them back. A statement changes a row of the queue only while
// the row has the claim token of the lease.
import { rowsToColumns, statement, type Query } from '@service/database';
import { subtractWaiting } from '../account/delivery-usage.ts';
import { isSuspended } from '../account/suspended-accounts.ts';

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
  registrationId: string | null;
  /** The `traceparent` of its attempts. */
  trace: string | null;
  /** The link that was filled into the body. */
  joinUrl?: string | undefined;
}

export interface Lease {
  worker: number;
  seconds: number;
  token: string;
}

type Leased = readonly ClaimedDelivery[];

const toColumns = (leased: Leased): string[][] => rowsToColumns(leased, 'deliveryId', 'accountId', 'claim');

/** $1 delivery ids, $2 account ids, $3 claim tokens. */
const leasedRows = `
  unnest($1::uuid[], $2::uuid[], $3::uuid[]) as claimed (delivery_id, account_id, claim)
  where due.delivery_id = claimed.delivery_id and due.account_id = claimed.account_id and due.claim = claimed.claim`;

/** Gives deliveries back unsent. They are due again after `waitSeconds`, and no try is spent. */
export async function releaseDeliveries(query: Query, leased: Leased, waitSeconds: number): Promise<void> {
  await query(releaseClaimed, [...toColumns(leased), waitSeconds]);
}

const releaseClaimed = statement({
  text: `
    update deliveries.due set claim = null, leased_until = null, due_at = now() + make_interval(secs => $4)
    from ${leasedRows}`,
});

/** Gives back all deliveries of claims whose answer was lost, so that the worker does not know them. */
export async function releaseTokens(query: Query, tokens: readonly string[]): Promise<void> {
  await query(releaseClaims, [tokens]);
}

/** $1 claim tokens. Reads the whole queue, for the rare case that a connection broke in the middle of a claim. */
const releaseClaims = statement({
  text: `
    update deliveries.due set claim = null, leased_until = null, due_at = now() where claim = any($1::uuid[])`,
  allAccounts: 'The accounts of a lost answer are unknown.',
});

/** Gives deliveries back unsent until their paused endpoint recovers, or their halted one is resumed. Due at once if it just has. */
export async function parkForPausedEndpoint(query: Query, leased: Leased): Promise<void> {
  await query(parkOfEndpoint, toColumns(leased));
}

/** Gives deliveries back unsent until their suspended account is resumed. Due at once if it was just resumed. */
export async function parkForSuspendedAccount(query: Query, leased: Leased): Promise<void> {
  await query(parkOfAccount, toColumns(leased));
}

const parkIf = (condition: string) =>
  statement({
    text: `
      update deliveries.due
      set claim = null, leased_until = null, due_at = case when ${condition} then 'infinity' else now() end
      from ${leasedRows}`,
  });

const parkOfEndpoint = parkIf(`exists (
  select from deliveries.endpoint_health health
  where health.endpoint_id = due.endpoint_id and health.account_id = due.account_id and state in ('paused', 'halted'))`);

const parkOfAccount = parkIf(isSuspended('due'));

/** Ends deliveries that cannot be sent any more. */
export async function cancelDeliveries(query: Query, leased: Leased): Promise<void> {
  await query(cancelClaimed, toColumns(leased));
}

const cancelClaimed = statement({
  text: `
    with cancelled as (
      delete from deliveries.due using ${leasedRows}
      returning due.delivery_id, due.account_id
    ), ${subtractWaiting('cancelled')}
    update deliveries.delivery set ended_as = 'cancelled'
    from cancelled where delivery.id = cancelled.delivery_id and delivery.account_id = cancelled.account_id`,
});
