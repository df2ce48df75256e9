// An estimate of the database's clock in this process. A process with a wrong calendar would make ids with a wrong order, in the
// partition of another day, which are deleted too early. So the difference between the database's clock and the steady clock of this
// process is stored here. Every answer with the database's time corrects it.
import type pg from 'pg';

/** A larger difference between the clocks of a process and its database is logged, in milliseconds. */
export const clockOffsetMaxMs = 5000;

/** The database's time minus `performance.now()`, in milliseconds. Until the first answer it comes from the process's calendar. */
let offsetMs = Date.now() - performance.now();

/** The database's time, accurate to half a round trip. */
export const databaseTime = (): Date => new Date(Math.floor(performance.now() + offsetMs));

/**
 * Corrects the estimate with an answer that contains the database's time. `sentAtMs` is `performance.now()` before the statement was
 * sent. The true difference lies between two bounds, one round trip apart. An estimate outside of them moves to the nearest bound,
 * so that slow answers do not move it back and forth.
 */
export function observeDatabaseTime(databaseMs: number, sentAtMs: number): void {
  const least = databaseMs - performance.now();
  const most = databaseMs - sentAtMs;
  offsetMs = Math.min(Math.max(offsetMs, least), most);
}

/** The process's calendar minus the database's clock, in milliseconds. Negative when the process is behind. */
export const clockOffsetMs = (): number => Date.now() - (performance.now() + offsetMs);

const readClock = `select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;

/** Reads the database's time and corrects the estimate. */
export async function readDatabaseTime(connection: Pick<pg.Pool | pg.ClientBase, 'query'>): Promise<Date> {
  const sentAtMs = performance.now();
  const { rows } = await connection.query<{ ms: number }>(readClock);
  observeDatabaseTime(rows[0]!.ms, sentAtMs);
  return new Date(Math.floor(rows[0]!.ms));
}
