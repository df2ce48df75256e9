// A replica of the database answers reads that may be late, while it is at most some seconds behind.
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isReplayConflict, isUnreachable } from './pg-error.ts';
import { queryOn, statement } from './query.ts';
import { column, nullable } from './row.ts';

interface ReplicaOptions {
  primary: pg.Pool;
  replica: pg.Pool;
  /** Reads go to the primary while the replica is further behind, in milliseconds. */
  lagMaxMs: number;
  /** Called when reads begin to go to the other one of the two. */
  onChange: (change: { isUsed: boolean; lagMs: number | undefined }) => void;
}

export interface Replica {
  /** True while reads may use it. */
  isUsable(): boolean;
  /** The lag at most, in milliseconds. Undefined before the replica was first reached. */
  lagMs(): number | undefined;
  /** True for an error of the replica after which the primary may be asked. It is not used until the next comparison. */
  noteError(error: unknown): boolean;
  close(): Promise<void>;
}

const compareEveryMs = 1000;

// Bytes of the write-ahead log. The time of each position on the primary is known, so the position of the replica gives its lag, also
// while nothing is written. The time of the last replayed transaction would grow while the primary is idle.
const selectWritten = statement({
  name: 'database.select_written',
  text: `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
  row: { bytes: column.float },
});

/** Null on a server that is no replica. */
const selectReplayed = statement({
  name: 'database.select_replayed',
  text: `
    select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') end::float8 as bytes`,
  row: { bytes: nullable(column.float) },
});

/** Compares the replica with the primary every second, until it is closed. */
export function followReplica({ primary, replica, lagMaxMs, onChange }: ReplicaOptions): Replica {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Positions of the primary that the replica has not reached, oldest first. */
  let written: { bytes: number; atMs: number }[] = [];
  let currentAtMs: number | undefined;
  let hasFailed = false;
  let isUsed = false;

  const lagMs = (): number | undefined =>
    currentAtMs === undefined ? undefined : performance.now() - currentAtMs;
  const isUsable = (): boolean => !hasFailed && (lagMs() ?? Infinity) <= lagMaxMs;

  async function compare(): Promise<void> {
    const atMs = performance.now();
    const [mark] = await queryOn(primary)(selectWritten, []);
    written.push({ bytes: mark!.bytes, atMs });
    const [replayed] = await queryOn(replica)(selectReplayed, []);
    // A server that was made the primary has everything.
    const bytes = replayed!.bytes ?? Infinity;
    currentAtMs = written.findLast((position) => position.bytes <= bytes)?.atMs ?? currentAtMs;
    written = written.filter((position) => position.bytes > bytes).slice(-positionsMax);
    hasFailed = false;
  }

  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      await compare().catch(() => void (hasFailed = true));
      if (isUsed !== isUsable()) {
        isUsed = !isUsed;
        onChange({ isUsed, lagMs: lagMs() });
      }
      await delay(compareEveryMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const following = follow();

  return {
    isUsable,
    lagMs,
    noteError(error) {
      if (!isUnreachable(error) && !isReplayConflict(error)) return false;
      hasFailed ||= isUnreachable(error);
      return true;
    },
    async close() {
      stopping.abort();
      await following;
    },
  };
}

/** Later ones are kept: a replica that is further behind is not used. */
const positionsMax = 3600;
