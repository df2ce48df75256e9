// A partition contains one day or one month in UTC, and is named after its first day: `delivery_20261122`, `attendee_event_202611`.

export interface PartitionedTable {
  schema: string;
  table: string;
  /** The length of a partition. Rows that are kept for years have months, so that there are fewer partitions. */
  period: Period;
  /** The setting for the retention of its rows: RETENTION_DAYS or EVENT_RETENTION_DAYS. */
  retention: 'history' | 'events';
  /** A small table with a column that refers to the partition key. Rows in use there are never deleted. */
  usedBy?: { table: string; column: string };
}

type Period = 'day' | 'month';

export const dayMs = 86_400_000;

/** The start of the day or the month that is `offset` periods after the one of `time`. */
export function startOfPeriod(period: Period, time: Date, offset = 0): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  return new Date(period === 'day' ? Date.UTC(year, month, day + offset) : Date.UTC(year, month + offset, 1));
}

export function partitionName({ table, period }: PartitionedTable, start: Date): string {
  const digits = start.toISOString().slice(0, 10).replaceAll('-', '');
  return `${table}_${period === 'day' ? digits : digits.slice(0, 6)}`;
}

/** A regular expression of Postgres for the names of a table's partitions, without the default one. */
export const partitionPattern = ({ table, period }: PartitionedTable): string =>
  `^${table}_[0-9]{${period === 'day' ? 8 : 6}}$`;

/** The start of the time of a partition. */
export function startOfPartition({ table }: PartitionedTable, name: string): Date {
  const digits = name.slice(table.length + 1);
  return new Date(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8) || '01'}T00:00:00Z`);
}
