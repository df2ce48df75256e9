export type SortOrder = 'asc' | 'desc';

export interface KeysetOptions {
  /** The table with its schema. */
  table: string;
  /** The name of the table in the statement. */
  alias: string;
  /** The column or expression of a row, by the name of its table. Left out, the list is in the order of creation. */
  value?: (row: string) => string;
  order: SortOrder;
  /** The parameter with the id of the last row of the page before, or null. $1 is the account. */
  cursor: string;
  /**
   * The parameter with the value of that row, or null. Without a value the row is read again, so rows of such a list must never be
   * deleted.
   */
  cursorValue?: string;
}

/** SQL of a list that is sorted by a value and the id: the rows after the cursor, and their order. */
export function keyset({ table, alias, value, order, cursor, cursorValue = 'null' }: KeysetOptions): {
  after: string;
  orderBy: string;
} {
  const comes = order === 'asc' ? '>' : '<';
  if (!value)
    return {
      after: `(${cursor}::uuid is null or ${alias}.id ${comes} ${cursor})`,
      orderBy: `${alias}.id ${order}`,
    };
  return {
    after: `(${cursor}::uuid is null or (${value(alias)}, ${alias}.id) ${comes} (coalesce(${cursorValue}, (
      select ${value('last')} from ${table} last where last.account_id = $1 and last.id = ${cursor})), ${cursor}))`,
    orderBy: `${value(alias)} ${order}, ${alias}.id ${order}`,
  };
}

/** The order of one list. */
export type Sorting = Pick<KeysetOptions, 'value' | 'order'>;
