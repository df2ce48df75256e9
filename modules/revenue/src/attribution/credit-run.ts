import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import {
  clockSkewMs,
  column,
  createId,
  idAt,
  lowestId,
  nullable,
  statement,
  type AccountReader,
  type AccountWriter,
} from '@service/database';
import { instant } from '@service/trpc';
import { z } from 'zod';
import { lockLedger } from '../ledger/lock-ledger.ts';

export const creditRunStates = ['running', 'done'] as const;

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
    id: z.uuid(),
    state: z.enum(creditRunStates).meta({ id: 'CreditRunState' }),
    total: z.number().int().describe('First payments that are attributed again. Counting ends at a million.'),
    checked: z.number().int().describe('First payments that were attributed again so far.'),
    moved: z.number().int().describe('Purchases whose credit moved so far, renewals included.'),
    startedAt: instant(),
    finishedAt: instant().nullable(),
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
}: Pick<AccountReader, 'query' | 'accountId'>): Promise<z.input<typeof CreditRunOutput>> {
  const [run] = await query(selectRun, [accountId]);
  if (!run) return null;
  return {
    ...run,
    startedAt: run.startedAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
  };
}
