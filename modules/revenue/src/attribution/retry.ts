// A registration up to five minutes after a purchase counts. So an unattributed purchase is attributed again, with growing waits,
// until that time is over. Registrations cost nothing for it, and one that is committed at the same moment is found too.
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventSubscriber } from '@service/attendees';
import {
  accountWriter,
  column,
  hasRow,
  statement,
  type AccountWriter,
  type Database,
} from '@service/database';
import type { Credit, PurchaseFacts } from '../credit.ts';
import { lockLedger, replaceCredits, type NewCredit } from '../ledger/ledger.ts';
import { lastTouchTime } from './attribute.ts';
import { creditDecided } from './credit-decision.ts';
import { publishCredited } from './postponed-events.ts';
import { readUnattributed } from './stored-purchases.ts';

/** An unattributed purchase that is attributed again at `nextAt`. */
export const CreditRetry = defineEntity({
  name: 'CreditRetry',
  tableName: 'credit_retry',
  schema: 'revenue',
  indexes: [{ name: 'credit_retry_due_index', properties: ['accountId', 'nextAt'] }],
  properties: {
    accountId: p.uuid().primary(),
    paymentId: p.uuid().primary(),
    nextAt: p.datetime(3),
    tries: p.integer().default(0),
    /** The time of the last try. */
    until: p.datetime(3),
  },
});

/** The wait before the second attribution. Each later wait is twice as long. */
const firstWaitMs = 2000;

/** Registrations of the last moment are committed after this time. */
const marginMs = 30_000;

/** A purchase whose time is far in the future is not attributed again for ever. */
const untilMaxMs = 3_600_000;

const insertRetries = statement({
  name: 'revenue.insert_credit_retries',
  text: `
    insert into revenue.credit_retry (account_id, payment_id, next_at, until)
    select $1, payment_id, $4, until from unnest($2::uuid[], $3::timestamptz[]) as r (payment_id, until)
    on conflict do nothing`,
});

/** Plans further attributions of the purchases that have no credit and can still get one. */
export function planRetries(
  tx: AccountWriter,
  purchases: readonly PurchaseFacts[],
  credits: readonly Credit[],
): void {
  const nowMs = tx.now.getTime();
  const planned = purchases.flatMap(({ id, occurredAt }, index) => {
    const { level, reason } = credits[index]!;
    if (level !== 'unattributed' || reason === 'no_email') return [];
    const untilMs = Math.min(lastTouchTime(occurredAt).getTime() + marginMs, nowMs + untilMaxMs);
    return untilMs > nowMs ? [{ id, until: new Date(untilMs) }] : [];
  });
  if (planned.length === 0) return;
  tx.defer(insertRetries, [
    tx.accountId,
    planned.map(({ id }) => id),
    planned.map(({ until }) => until),
    new Date(nowMs + firstWaitMs),
  ]);
}

interface RetryOptions {
  now: Date;
  subscriber: EventSubscriber;
  /** Called after a commit that credited purchases. */
  onChanged: (accountId: string) => void;
  onFailure: (error: unknown) => void;
  signal: AbortSignal;
}

const accountsMax = 100;
const batchMax = 250;

// During a run of the account the retries wait: a purchase that a new window credits must not fire rules, and the run credits it.
const hasNoRun = `not exists (
  select from revenue.credit_run run where run.account_id = retry.account_id and run.state = 'running')`;

/** Also of a later time: their times have no index over all accounts. */
export const hasCreditRetry = hasRow({ table: 'revenue.credit_retry', order: 'account_id, next_at' });

// Steps from account to account along the index. A read of the oldest retries would find only those of an account that has thousands.
const selectDue = statement({
  name: 'revenue.select_due_credit_retries',
  text: `
    with recursive earliest as (
      (select account_id, next_at from revenue.credit_retry order by account_id, next_at limit 1)
      union all
      select following.account_id, following.next_at from earliest
      cross join lateral (
        select account_id, next_at from revenue.credit_retry
        where account_id > earliest.account_id order by account_id, next_at limit 1
      ) following
    )
    select account_id as "accountId" from earliest retry where next_at <= $1 and ${hasNoRun}
    order by next_at limit ${accountsMax}`,
  allAccounts: 'Workers retry the purchases of every account.',
  row: { accountId: column.id },
});

/** Attributes the due purchases of all accounts again. Any number of workers may call it. */
export async function retryCredits(
  database: Pick<Database, 'query' | 'ofAccount'>,
  { now, subscriber, onChanged, onFailure, signal }: RetryOptions,
): Promise<void> {
  const rows = await database.query(selectDue, [now]);
  for (const { accountId } of rows) {
    if (signal.aborted) return;
    try {
      const { transaction } = database.ofAccount(accountId);
      const changed = await transaction((tx) => tryDue(accountWriter(tx, { accountId, now })));
      if (changed.length === 0) continue;
      const credited = await transaction((tx) =>
        creditFound(accountWriter(tx, { accountId, now }), changed, subscriber),
      );
      if (credited > 0) onChanged(accountId);
    } catch (error) {
      onFailure(error);
    }
  }
}

const lockDue = statement({
  name: 'revenue.lock_due_credit_retries',
  text: `
    select payment_id as "paymentId" from revenue.credit_retry retry
    where account_id = $1 and next_at <= $2 and ${hasNoRun}
    order by next_at limit ${batchMax} for update skip locked`,
  row: { paymentId: column.id },
});

const lockNamed = statement({
  name: 'revenue.lock_named_credit_retries',
  text: `
    select payment_id as "paymentId" from revenue.credit_retry retry
    where account_id = $1 and payment_id = any($2::uuid[]) and ${hasNoRun}
    for update skip locked`,
  row: { paymentId: column.id },
});

const deleteEnded = statement({
  name: 'revenue.delete_ended_credit_retries',
  text: `
    delete from revenue.credit_retry
    where account_id = $1 and payment_id = any($2::uuid[]) and until <= $3`,
});

const postpone = statement({
  name: 'revenue.postpone_credit_retries',
  text: `
    update revenue.credit_retry
    set tries = tries + 1,
      next_at = least(until, $3::timestamptz + make_interval(secs => ${firstWaitMs / 1000} * power(2, tries + 1)))
    where account_id = $1 and payment_id = any($2::uuid[])`,
});

const deleteRetries = statement({
  name: 'revenue.delete_credit_retries',
  text: `delete from revenue.credit_retry where account_id = $1 and payment_id = any($2::uuid[])`,
});

/**
 * Attributes the due purchases again, and plans the next try of those that still have no credit. Returns the others. The ledger is
 * not locked, so that the intake does not wait for purchases that stay as they are.
 */
async function tryDue(tx: AccountWriter): Promise<string[]> {
  const { query, accountId, now } = tx;
  const due = (await query(lockDue, [accountId, now])).map(({ paymentId }) => paymentId);
  if (due.length === 0) return [];
  const purchases = await readUnattributed(tx, due);
  const credits = await creditDecided(tx, purchases);
  const waiting = new Set(
    purchases.flatMap(({ id }, index) => (credits[index]!.level === 'unattributed' ? [id] : [])),
  );
  await query(deleteEnded, [accountId, [...waiting], now]);
  await query(postpone, [accountId, [...waiting], now]);
  return due.filter((id) => !waiting.has(id));
}

/**
 * Credits those of the purchases for which a registration was found, and ends the retries of all that have a credit now. Returns how
 * many were credited. The ledger is locked first, as by everything that changes credits, and the credits are derived under the lock.
 */
async function creditFound(
  tx: AccountWriter,
  paymentIds: readonly string[],
  subscriber: EventSubscriber,
): Promise<number> {
  const { query, accountId } = tx;
  await lockLedger(tx);
  const ids = (await query(lockNamed, [accountId, paymentIds])).map(({ paymentId }) => paymentId);
  const purchases = await readUnattributed(tx, ids);
  const credits = await creditDecided(tx, purchases);
  const found: NewCredit[] = [];
  const ended = new Set(ids);
  for (const [index, { id }] of purchases.entries()) {
    const credit = credits[index]!;
    if (credit.level === 'unattributed') ended.delete(id);
    else found.push({ paymentId: id, credit });
  }
  await publishCredited(tx, await replaceCredits(tx, found), { subscriber });
  await query(deleteRetries, [accountId, [...ended]]);
  return found.length;
}
