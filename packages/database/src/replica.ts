// A replica of the database answers reads that may be late, while it is at most some seconds behind.
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isReplicaRefusal, isUnreachable } from './pg-error.ts';
import { queryOn, statement, type RowsOf } from './query.ts';
import { column, nullable } from './row.ts';

interface ReplicaOptions {
  primary: pg.Pool;
  replica: pg.Pool;
  /** Reads go to the primary while the replica is further behind, in milliseconds. */
  lagMaxMs: number;
  /** Called when reads begin to go to the other one of the two, and when the reason changes. */
  onChange: (change: ReplicaState & { error: unknown }) => void;
}

/** A reason why reads go to the primary. `not_a_replica`: a server that was promoted, or one of another system or database. */
export type ReplicaProblem = 'unreachable' | 'late' | 'not_a_replica';

export interface ReplicaState {
  /** Undefined while reads go to the replica. */
  problem: ReplicaProblem | undefined;
  lagMs: number | undefined;
}

export interface Replica {
  /** Undefined while reads may use it. */
  problem(): ReplicaProblem | undefined;
  /** The lag at most, in milliseconds. Undefined before the replica was first reached. */
  lagMs(): number | undefined;
  /** True for an error of the replica after which the primary may be asked. After a lost connection it is not used until the next comparison. */
  noteError(error: unknown): boolean;
  close(): Promise<void>;
}

const compareEveryMs = 1000;

// Bytes of the write-ahead log. The time of each position on the primary is known, so the position of the replica gives its lag, also
// while nothing is written. The time of the last replayed transaction would grow while the primary is idle.
const selectWritten = statement({
  name: 'database.select_written',
  text: `
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes, current_database()::text as name,
      (select system_identifier::text from pg_control_system()) as system`,
  row: { bytes: column.float, name: column.text, system: column.text },
});

/** The position is null on a server that is no replica. */
const selectReplayed = statement({
  name: 'database.select_replayed',
  text: `
    select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') end::float8 as bytes,
      current_database()::text as name, (select system_identifier::text from pg_control_system()) as system`,
  row: { bytes: nullable(column.float), name: column.text, system: column.text },
});

/** Compares the replica with the primary every second, until it is closed. */
export function followReplica({ primary, replica, lagMaxMs, onChange }: ReplicaOptions): Replica {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Positions of the primary that the replica has not reached, oldest first. */
  let written: { bytes: number; atMs: number }[] = [];
  let currentAtMs: number | undefined;
  let fault: 'unreachable' | 'not_a_replica' | undefined = 'unreachable';
  let noted: ReplicaProblem | 'nothing' | undefined = 'nothing';

  const lagMs = (): number | undefined =>
    currentAtMs === undefined ? undefined : performance.now() - currentAtMs;
  const problem = (): ReplicaProblem | undefined =>
    fault ?? ((lagMs() ?? Infinity) > lagMaxMs ? 'late' : undefined);

  async function compare(): Promise<void> {
    const atMs = performance.now();
    // A primary without an answer says nothing about the replica.
    const [mark] = await queryOn(primary)(selectWritten, []).catch(() => []);
    if (!mark) return;
    written = [...written, { bytes: mark.bytes, atMs }].slice(-positionsMax);
    const [{ bytes, name, system }] = (await queryOn(replica)(selectReplayed, [])) as [
      RowsOf<typeof selectReplayed>,
    ];
    if (bytes === null || name !== mark.name || system !== mark.system) {
      fault = 'not_a_replica';
      return;
    }
    currentAtMs = written.findLast((position) => position.bytes <= bytes)?.atMs ?? currentAtMs;
    written = written.filter((position) => position.bytes > bytes);
    fault = undefined;
  }

  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      let failure: unknown;
      await compare().catch((error: unknown) => {
        failure = error;
        fault = 'unreachable';
      });
      const found = problem();
      if (found !== noted) {
        noted = found;
        onChange({ problem: found, lagMs: lagMs(), error: failure });
      }
      await delay(compareEveryMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const following = follow();

  return {
    problem,
    lagMs,
    noteError(error) {
      if (!isUnreachable(error) && !isReplicaRefusal(error)) return false;
      if (isUnreachable(error)) fault = 'unreachable';
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
