import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import {
  accountWriter,
  clockSkewMs,
  column,
  createId,
  hasRow,
  idAt,
  lowestId,
  nullable,
  statement,
  type AccountQueries,
  type AccountWriter,
  type Database,
} from '@service/database';
import { id, instant } from '@service/trpc';
import { z } from 'zod';
import type { Credit } from '../credit.ts';
import { lockLedger, replaceCredits } from '../ledger/ledger.ts';
import { creditDecided } from './credit-decision.ts';
import { readPurchases } from './stored-purchases.ts';

const creditRunStates = ['running', 'done'] as const;

/** The last run of a workspace that derives all credits again, after a window was changed. Workers advance it. */
export const CreditRun = defineEntity({
  name: 'CreditRun',
  tableName: 'credit_run',
  schema: 'revenue',
  indexes: [{ name: 'credit_run_running_index', properties: ['startedAt'], where: `state = 'running'` }],
  properties: {
    accountId: p.uuid().primary(),
    /** A new one for each run. */
    id: p.uuid(),
    state: p.enum(creditRunStates),
    /** First payments at the start, of up to `countMax` payments. Renewals have the credit of their first payment. */
    total: p.integer(),
    /** First payments that were attributed again so far, and the payments whose credit moved, with their renewals. */
    checked: p.integer().default(0),
    moved: p.integer().default(0),
    /** The last purchase that was attributed again. */
    cursor: p.uuid(),
    /** Later purchases were attributed with the new window at once. */
    until: p.uuid(),
    startedAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
});

export type CreditRun = InferEntity<typeof CreditRun>;

export const CreditRunOutput = z
  .object({
    id: id('run'),
    state: z.enum(creditRunStates).meta({
      id: 'CreditRunState',
      description: '`running` until every credit was derived again, then `done`.',
    }),
    total: z.int().describe('First payments that are attributed again. Counting ends at a million.'),
    checked: z.int().describe('First payments that were attributed again so far.'),
    moved: z.int().describe('Purchases whose credit moved so far, renewals included.'),
    startedAt: instant(),
    finishedAt: instant().nullable().describe('The time at which the run ended. Null while it runs.'),
  })
  .meta({ id: 'CreditRun' })
  .nullable();

/** Purchases that are counted for `total`. */
const countMax = 1_000_000;

// A change during a run starts it from the beginning. The row is locked before the ledger, here and in a step of the run.
const upsertRun = statement({
  name: 'revenue.start_credit_run',
  text: `
    insert into revenue.credit_run (account_id, id, state, total, cursor, until, started_at)
    values ($1, $2, 'running', 0, '${lowestId}', $3, $4)
    on conflict (account_id) do update
    set id = excluded.id, state = excluded.state, total = 0, checked = 0, moved = 0, cursor = excluded.cursor,
      until = excluded.until, started_at = excluded.started_at, finished_at = null`,
});

const countPurchases = statement({
  text: `
    update revenue.credit_run set total = (
      select count(*) from (select from revenue.payment where account_id = $1 limit ${countMax}) counted
    ) - (select count(*) from revenue.credit where account_id = $1 and renewal_of is not null and payment_id = id)
    where account_id = $1`,
});

/**
 * Has workers derive all credits of the account again. The caller has changed a window in this transaction. Purchases that are being
 * recorded with the old window are committed first, because the lock of the ledger is waited for, so the run finds them.
 */
export async function startCreditRun(tx: AccountWriter): Promise<void> {
  const { query, accountId, now } = tx;
  const until = idAt(new Date(now.getTime() + clockSkewMs));
  await query(upsertRun, [accountId, createId(), until, now]);
  await lockLedger(tx);
  await query(countPurchases, [accountId]);
}

const selectRun = statement({
  name: 'revenue.select_credit_run',
  text: `
    select id, state, total, checked, moved, started_at as "startedAt", finished_at as "finishedAt"
    from revenue.credit_run where account_id = $1`,
  row: {
    id: column.id,
    state: column.textOf<(typeof creditRunStates)[number]>(),
    total: column.integer,
    checked: column.integer,
    moved: column.integer,
    startedAt: column.time,
    finishedAt: nullable(column.time),
  },
});

/** Null before the first change of a window. */
export async function readCreditRun({
  query,
  accountId,
}: AccountQueries): Promise<z.input<typeof CreditRunOutput>> {
  const [run] = await query(selectRun, [accountId]);
  if (!run) return null;
  return {
    ...run,
    startedAt: run.startedAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
  };
}

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

export const hasRunningRun = hasRow({
  table: 'revenue.credit_run',
  order: 'started_at',
  where: `state = 'running'`,
});

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
  const credits = await creditDecided(tx, purchases);
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
