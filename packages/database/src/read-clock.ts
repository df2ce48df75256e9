import type pg from 'pg';
import { observeDatabaseTime } from './database-clock.ts';
import { queryOn } from './query.ts';

/** The clocks of the database and of this process. */
export interface ClockReading {
  /** The database's time at the end of the reading. */
  now: Date;
  /** The process's clock minus the database's, in milliseconds. Negative when the process is behind. */
  aheadMs: number;
  /** The error of `aheadMs` is at most this half of the round trip. */
  errorMs: number;
}

const selectTime = {
  name: 'database.read_clock',
  text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
};

/** Reads the database's time. The round trip does not include the wait for a connection. */
export async function readClock(pool: pg.Pool): Promise<ClockReading> {
  const client = await pool.connect();
  try {
    const startedAt = performance.now();
    const [row] = await queryOn(client)<{ ms: number }>(selectTime, []);
    observeDatabaseTime(row!.ms, startedAt);
    const errorMs = (performance.now() - startedAt) / 2;
    const nowMs = row!.ms + errorMs;
    return { now: new Date(nowMs), aheadMs: Date.now() - nowMs, errorMs };
  } finally {
    client.release();
  }
}
