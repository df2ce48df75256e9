// An estimate of the database's clock in this process. A process with a wrong calendar would make ids with a wrong order, in the
// partition of another day, which are deleted too early. So the difference between the database's clock and the steady clock of
// this process is stored here. Every answer with the database's time corrects it.
import type pg from 'pg';
import { queryOn, statement, type Statement } from './query.ts';
import { column } from './row.ts';

/** A larger difference between the clocks of a process and its database is logged, in milliseconds. */
export const clockOffsetMaxMs = 5000;

/** The database's time minus `performance.now()`, in milliseconds. Until the first answer it comes from the process's calendar. */
let offsetMs = Date.now() - performance.now();

/** The database's time, accurate to half a round trip. */
export const databaseTime = (): Date => new Date(Math.floor(performance.now() + offsetMs));

/**
 * Corrects the estimate with an answer that contains the database's time. `sentAtMs` is `performance.now()` before the statement
 * was sent. The true difference lies between two bounds, one round trip apart. An estimate outside of them moves to the nearest
 * bound, so that slow answers do not move it back and forth.
 */
export function observeDatabaseTime(databaseMs: number, sentAtMs: number): void {
  const least = databaseMs - performance.now();
  const most = databaseMs - sentAtMs;
  offsetMs = Math.min(Math.max(offsetMs, least), most);
}

/** The process's calendar minus the database's clock, in milliseconds. Negative when the process is behind. */
export const clockOffsetMs = (): number => Date.now() - (performance.now() + offsetMs);

const selectTime = statement({
  name: 'database.read_clock',
  text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  row: { ms: column.float },
});

/** Reads the database's time and corrects the estimate. */
export async function readDatabaseTime(connection: Pick<pg.Pool | pg.ClientBase, 'query'>): Promise<Date> {
  const sentAtMs = performance.now();
  const [row] = await queryOn(connection)(selectTime, []);
  observeDatabaseTime(row!.ms, sentAtMs);
  return new Date(Math.floor(row!.ms));
}

/** The clocks of the database and of this process. */
export interface ClockReading {
  /** The database's time at the end of the reading. */
  now: Date;
  /** The process's clock minus the database's, in milliseconds. Negative when the process is behind. */
  aheadMs: number;
  /** The error of `aheadMs` is at most this half of the round trip. */
  errorMs: number;
}

/** Reads the database's time. The round trip does not include the wait for a connection. */
export const readClock = async (pool: pg.Pool): Promise<ClockReading> =>
  (await readClockWith(pool, selectTime)).reading;

/** Reads the database's time together with other columns. `ms` are milliseconds since 1970, by `clock_timestamp()`. */
export async function readClockWith<Row extends { ms: number }>(
  pool: pg.Pool,
  timed: Statement<Row>,
): Promise<{ reading: ClockReading; row: Row }> {
  const client = await pool.connect();
  try {
    const startedAt = performance.now();
    const [first] = await queryOn(client)(timed, []);
    const row = first!;
    observeDatabaseTime(row.ms, startedAt);
    const errorMs = (performance.now() - startedAt) / 2;
    const nowMs = row.ms + errorMs;
    return { reading: { now: new Date(nowMs), aheadMs: Date.now() - nowMs, errorMs }, row };
  } finally {
    client.release();
  }
}
