// The database's clock as this process knows it. A process whose own calendar is wrong would make ids that sort wrongly, lie in
// the partition of another day and are dropped too early. So the difference between the database's clock and this process's
// steady clock is kept here, corrected by every answer that carries the database's time.
import type pg from 'pg';

/** The clocks of a process and of its database may differ by this much, in milliseconds, before it is worth a warning. */
export const clockOffsetMaxMs = 5000;

/** The database's time minus `performance.now()`, in milliseconds. The process's own calendar until the first answer. */
let offsetMs = Date.now() - performance.now();

/** The database's time, accurate to half a round trip. */
export const databaseTime = (): Date => new Date(Math.floor(performance.now() + offsetMs));

/**
 * Notes that a statement was answered with the database's time `databaseMs`. `askedAtMs` is `performance.now()` before it was
 * sent. The true difference lies between two bounds, a round trip apart: the difference that is kept moves only when it is
 * outside of them, and no further than to the nearest, so that slow answers do not move it back and forth.
 */
export function observeDatabaseTime(databaseMs: number, askedAtMs: number): void {
  const least = databaseMs - performance.now();
  const most = databaseMs - askedAtMs;
  offsetMs = Math.min(Math.max(offsetMs, least), most);
}

/** By how many milliseconds this process's calendar is ahead of the database's clock; negative when it is behind. */
export const clockOffsetMs = (): number => Date.now() - (performance.now() + offsetMs);

const readClock = `select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;

/** Asks the database for its time, and notes it. */
export async function readDatabaseTime(connection: Pick<pg.Pool | pg.ClientBase, 'query'>): Promise<Date> {
  const askedAtMs = performance.now();
  const { rows } = await connection.query<{ ms: number }>(readClock);
  observeDatabaseTime(rows[0]!.ms, askedAtMs);
  return new Date(Math.floor(rows[0]!.ms));
}
