// Parts of statements that follow from the names of fields: `eventId` is the column `event_id`.
import { toSnakeCase, type Columns } from './row.ts';

/** A select list: `event_id as "eventId"` for each field, of a table alias if one is given. `others` are fields with another expression. */
export function selectList<Row extends object>(
  row: Columns<Row>,
  { of, others = {} }: { of?: string; others?: { [Name in keyof Row]?: string } } = {},
): string {
  const prefix = of === undefined ? '' : `${of}.`;
  return (Object.keys(row) as (keyof Row & string)[])
    .map((name) => `${others[name] ?? prefix + toSnakeCase(name)} as "${name}"`)
    .join(', ');
}

/**
 * Inserts the rows of account $1 that are in the JSON $2, with the types of their fields. Other fields of the JSON are ignored. The
 * present row of a conflict is `stored`.
 */
export const insertFromJson = (table: string, types: Readonly<Record<string, string>>): string => `
  insert into ${table} as stored (account_id, ${Object.keys(types).map(toSnakeCase).join(', ')})
  select $1, given.* from jsonb_to_recordset($2::jsonb) as given (${Object.entries(types)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ')})`;

/** Sets the columns of these fields to those of the row that was not inserted. */
export const setExcluded = (names: readonly string[]): string =>
  names
    .map(toSnakeCase)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ');

/** The values of fields as parameters of `unnest`. */
export const rowsToColumns = <Row extends object, Name extends keyof Row>(
  rows: readonly Row[],
  ...names: Name[]
): Row[Name][][] => names.map((name) => rows.map((row) => row[name]));

/** Rows that mean work for a worker. `where` is the condition of a partial index. */
interface WorkRows {
  table: string;
  /** The first columns of the index. */
  order: string;
  where?: string;
}

// The order with a limit makes also a plan for empty tables read the first entry of the index.
const firstOf = ({ table, order, where = 'true' }: WorkRows, what: string): string =>
  `(select ${what} from ${table} where ${where} order by ${order} limit 1)`;

/** True if the table has such a row. */
export const hasRow = (rows: WorkRows): string => `${firstOf(rows, 'true')} is true`;

/** Conditions count what is due within this time. So while nothing is written, an answer that nothing is due is true for as long. */
export const dueWithinMs = 5000;

/** The latest time that counts as due. */
export const dueBy = `now() + interval '${dueWithinMs} milliseconds'`;

/** True if the earliest time in a column comes before `dueBy`. */
export const isFirstDue = ({ time, ...rows }: Omit<WorkRows, 'order'> & { time: string }): string =>
  `coalesce(${firstOf({ ...rows, order: time }, time)} <= ${dueBy}, false)`;

/** True if one of the conditions is. */
export const anyOf = (conditions: readonly string[]): string => `(${conditions.join(' or ')})`;
