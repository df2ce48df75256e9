import { accountWriter, column, statement, type AccountWriter, type Database } from '@service/database';
import type { Credit } from '../credit.ts';
import { lockLedger } from '../ledger/lock-ledger.ts';
import { replaceCredits } from '../ledger/replace-credits.ts';
import { creditPurchases } from './credit-purchases.ts';
import { readPurchases } from './stored-purchases.ts';

interface AdvanceOptions {
  now: Date;
  /** Called after a commit that changed credits or the progress of a run. */
  onChanged: (accountId: string) => void;
  onFailure: (error: unknown) => void;
  signal: AbortSignal;
}

/** Purchases of one transaction. The intake of the account waits for it, about a tenth of a second. */
const chunkMax = 250;

/** Accounts of one round. Each of them gets one chunk before another gets its second. */
const accountsMax = 50;

/** The time of one round, so that other repeated work of the module has its turn. */
const roundMs = 800;

const selectRunning = statement({
  name: 'revenue.select_running_credit_runs',
  text: `
    select account_id as "accountId" from revenue.credit_run where state = 'running'
    order by started_at limit ${accountsMax}`,
  allAccounts: 'Workers advance the runs of every account.',
  row: { accountId: column.id },
});

/**
 * Advances the running runs, one chunk of each account at a time. A chunk is one transaction for its credits and the cursor of the
 * run, so a worker that is killed loses nothing. Any number of workers may call it. The next call retries a run that failed.
 */
export async function advanceRuns(
  database: Pick<Database, 'query' | 'ofAccount'>,
  { now, onChanged, onFailure, signal }: AdvanceOptions,
): Promise<void> {
  const rows = await database.query(selectRunning, []);
  let accountIds = rows.map(({ accountId }) => accountId);
  const endMs = performance.now() + roundMs;
  while (accountIds.length > 0 && performance.now() < endMs && !signal.aborted) {
    const unfinished: string[] = [];
    for (const accountId of accountIds) {
      if (signal.aborted) return;
      try {
        const { hasChanged, isDone } = await database
          .ofAccount(accountId)
          .transaction((tx) => advanceOne(accountWriter(tx, { accountId, now })));
        if (hasChanged) onChanged(accountId);
        if (!isDone) unfinished.push(accountId);
      } catch (error) {
        onFailure(error);
      }
    }
    accountIds = unfinished;
  }
}

const lockRun = statement({
  name: 'revenue.lock_credit_run',
  text: `
    select cursor, until from revenue.credit_run where account_id = $1 and state = 'running'
    for update skip locked`,
  row: { cursor: column.id, until: column.id },
});

const moveRun = statement({
  name: 'revenue.move_credit_run',
  text: `
    update revenue.credit_run
    set cursor = coalesce($2, cursor), checked = checked + $3, moved = moved + cardinality($4::uuid[]) + (
        select count(*) from revenue.credit where account_id = $1 and renewal_of = any($4) and payment_id = id),
      state = case when $5 then 'done' else 'running' end, finished_at = case when $5 then $6::timestamptz end
    where account_id = $1`,
});

/** A run that another worker has locked counts as done for this round. */
async function advanceOne(tx: AccountWriter): Promise<{ hasChanged: boolean; isDone: boolean }> {
  const { query, accountId, now } = tx;
  const [run] = await query(lockRun, [accountId]);
  if (!run) return { hasChanged: false, isDone: true };
  await lockLedger(tx);
  const purchases = await readPurchases(tx, { after: run.cursor, until: run.until, limit: chunkMax });
  const credits = await creditPurchases(tx, purchases);
  const pairs = purchases.map((purchase, index) => ({ purchase, credit: credits[index]! }));
  const changed = pairs.filter(({ purchase, credit }) => !isSame(purchase.previous, credit));
  const moved = changed.filter(({ purchase, credit }) => hasMoved(purchase.previous, credit));
  // Rules fire for new facts only. An event that gets its first registration here never fires.
  await replaceCredits(
    tx,
    changed.map(({ purchase, credit }) => ({ paymentId: purchase.id, credit })),
  );
  const isDone = purchases.length < chunkMax;
  await query(moveRun, [
    accountId,
    purchases.at(-1)?.id ?? null,
    purchases.length,
    moved.map(({ purchase }) => purchase.id),
    isDone,
    now,
  ]);
  return { hasChanged: true, isDone };
}

/** Considered touches are compared as JSON, in which they are stored. */
const isSame = (one: Credit, other: Credit): boolean =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));

/** jsonb does not keep the order of keys. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([key, part]) => [key, inOrder(part)]);
}

/** True if reports show the purchase elsewhere. */
export const hasMoved = (from: Credit, to: Credit): boolean =>
  from.level !== to.level ||
  from.registrationId !== to.registrationId ||
  from.interactionId !== to.interactionId;
