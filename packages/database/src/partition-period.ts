// A partition holds one day or one month, by UTC, and is named after its first day: `delivery_20261122`, `attendee_event_202611`.

export interface PartitionedTable {
  schema: string;
  table: string;
  /** The length of a partition. Months are for rows that are kept for years: fewer partitions to plan with. */
  period: Period;
  /** The setting that says how long rows are kept: RETENTION_DAYS or EVENT_RETENTION_DAYS. */
  retention: 'history' | 'events';
  /** A small table whose column names rows of this one by the partition key. A row that is named there is never deleted. */
  usedBy?: { table: string; column: string };
}

type Period = 'day' | 'month';

export const dayMs = 86_400_000;

/** The first moment of the day or the month that is `offset` periods after that of `time`. */
export function startOfPeriod(period: Period, time: Date, offset = 0): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  return new Date(period === 'day' ? Date.UTC(year, month, day + offset) : Date.UTC(year, month + offset, 1));
}

export function partitionName({ table, period }: PartitionedTable, start: Date): string {
  const digits = start.toISOString().slice(0, 10).replaceAll('-', '');
  return `${table}_${period === 'day' ? digits : digits.slice(0, 6)}`;
}

/** A regular expression of Postgres that matches the names of a table's partitions; the default one is not among them. */
export const partitionPattern = ({ table, period }: PartitionedTable): string =>
  `^${table}_[0-9]{${period === 'day' ? 8 : 6}}$`;

/** The first moment that a partition holds. */
export function startOfPartition({ table }: PartitionedTable, name: string): Date {
  const digits = name.slice(table.length + 1);
  return new Date(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8) || '01'}T00:00:00Z`);
}
