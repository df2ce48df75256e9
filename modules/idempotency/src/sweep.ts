import {
  column,
  createOldRowsDeleter,
  lowestId,
  queryOn,
  statement,
  type Database,
  type Query,
} from '@service/database';
import { expiryOf } from './answers.ts';

const deleteOld = createOldRowsDeleter({ table: 'idempotency.kept_answer', time: 'created_at' });

/** Accounts in one statement. */
const accountsMax = 200;

const selectAccounts = statement({
  name: 'idempotency.select_accounts',
  text: `
    select distinct account_id from idempotency.kept_bytes where account_id > $1 order by account_id limit $2`,
  allAccounts: 'The bytes of every account are corrected.',
  row: { account_id: column.id },
});

// Answers and their byte count change in one transaction, so their difference in one snapshot is exact while other transactions
// write. It is added to the part of the sweep. Two sweeps at the same time would add it twice; the next sweep corrects that.
const correctCounts = statement({
  name: 'idempotency.correct_counts',
  text: `
    with counted as (
      select account_id, sum(bytes) as bytes from idempotency.kept_bytes where account_id = any($1) group by account_id
    ), kept as (
      select account_id, sum(bytes) as bytes from idempotency.kept_answer where account_id = any($1) group by account_id
    )
    insert into idempotency.kept_bytes as total (account_id, slot, bytes)
    select account_id, 0, coalesce(kept.bytes, 0) - counted.bytes
    from counted left join kept using (account_id)
    where coalesce(kept.bytes, 0) <> counted.bytes
    on conflict (account_id, slot) do update set bytes = total.bytes + excluded.bytes`,
});

/**
 * Deletes expired answers in short transactions, at most those of the oldest two days, and subtracts their bytes from the counts of
 * their accounts. Returns the number of deleted answers.
 */
export async function deleteExpiredAnswers(
  pool: Database['pool'],
  { now, windowHours }: { now: Date; windowHours: number },
): Promise<number> {
  const query = queryOn(pool);
  const deleted = await deleteOld(query, { before: expiryOf(now, windowHours) });
  await correctKeptBytes(query);
  return deleted;
}

async function correctKeptBytes(query: Query): Promise<void> {
  let after = lowestId;
  for (;;) {
    const rows = await query(selectAccounts, [after, accountsMax]);
    if (rows.length === 0) return;
    const ids = rows.map((row) => row.account_id);
    await query(correctCounts, [ids]);
    after = ids.at(-1)!;
  }
}
