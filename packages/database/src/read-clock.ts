import type pg from 'pg';
import { observeDatabaseTime } from './database-clock.ts';
import { queryOn } from './query.ts';

/** The clock of the database beside that of this process. */
export interface ClockReading {
  /** The database's time at the end of the reading. */
  now: Date;
  /** Milliseconds that this process is ahead of the database; below zero it is behind. */
  aheadMs: number;
  /** Half the round trip: `aheadMs` is off by no more. */
  errorMs: number;
}

const selectTime = {
  name: 'database.read_clock',
  text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
};

/** Asks the database for its time. Waiting for a connection is no part of the round trip. */
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
