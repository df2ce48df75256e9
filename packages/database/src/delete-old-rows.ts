import { roundDaysMax } from './drop-partitions.ts';
import { statement, type Query } from './query.ts';
import { column, nullable } from './row.ts';

interface OldRows {
  /** With its schema. */
  table: string;
  /** The column with the time. */
  time: string;
  /** False for a table without accounts. */
  hasAccounts?: boolean;
}

interface DeleteOptions {
  before: Date;
  /** Rows of one statement; 5000. */
  batchMax?: number;
}

/**
 * Makes the function that deletes rows of all accounts from before a time: those of the oldest two days at most, in short
 * transactions, without the rows that another transaction has locked. It returns their number. The statements have no name, so
 * that they are planned for the present size of the table.
 */
export function createOldRowsDeleter({ table, time, hasAccounts = true }: OldRows) {
  const scope = hasAccounts ? { allAccounts: 'Old rows of all accounts are deleted.' } : {};
  const findUntil = statement({
    text: `
      select least($1, min(${time}) + make_interval(days => ${roundDaysMax})) as until from ${table}
      where ${time} < $1`,
    row: { until: nullable(column.time) },
    ...scope,
  });
  const deleteBatch = statement({
    text: `
      with deleted as (
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${time} < $1 limit $2 for update skip locked))
        returning 1
      )
      select count(*)::int as deleted from deleted`,
    row: { deleted: column.integer },
    ...scope,
  });
  return async (query: Query, { before, batchMax = 5000 }: DeleteOptions): Promise<number> => {
    const [old] = await query(findUntil, [before]);
    for (let deleted = 0; ;) {
      const [batch] = await query(deleteBatch, [old!.until, batchMax]);
      deleted += batch!.deleted;
      if (batch!.deleted < batchMax) return deleted;
    }
  };
}
