// Activity is written off the request path: rows wait in memory, at most 250 ms or 500 of them, and go in one transaction
// together with whatever is counted from them, so that rows and counters never disagree.
import { createId, isUniqueViolation, type Database } from '@service/database';
import type { Log } from '@service/log';
import type { KeyPrincipal } from '@service/trpc';
import type pg from 'pg';
import { countCalls } from './count-calls.ts';
import { insertCalls } from './insert-calls.ts';

const flushAfterMs = 250;
const batchMax = 500;
/** While the database is away calls are kept up to here; beyond it the newest are dropped, counted and logged. */
const waitingMax = 50_000;

export interface RecordedCall {
  principal: KeyPrincipal;
  at: Date;
  status: number;
  method?: string;
  path?: string;
  tool?: string;
  replayed: boolean;
  durationMs: number;
  requestId: string;
}

export type WaitingCall = RecordedCall & { id: string };

export interface ActivityRecorder {
  /** Takes a call; it is in the database at most about 250 ms later. Never throws, never waits. */
  record(call: RecordedCall): void;
  /** Writes everything that waits; resolves when it is committed or has failed. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface RecorderOptions {
  pool: Database['pool'];
  log: Log;
  /** Runs in the transaction of each batch: the keys' counters. */
  alsoWrite: (client: pg.ClientBase, calls: readonly RecordedCall[]) => Promise<void>;
}

export function createActivityRecorder({ pool, log, alsoWrite }: RecorderOptions): ActivityRecorder {
  let waiting: WaitingCall[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let dropped = 0;
  /** How many of the waiting were sent together and may have arrived; they are sent again just so, or not at all. */
  let unsure = 0;

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), flushAfterMs);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // One writer at a time keeps the order; whoever comes later waits for it and takes the rest.
    while (writing) await writing;
    if (waiting.length === 0) return;
    writing = writeAll();
    await writing;
  }

  async function writeAll(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, unsure || batchMax);
        unsure = batch.length;
        await writeBatch(pool, batch, alsoWrite);
        unsure = 0;
        waiting = waiting.slice(batch.length);
      }
      if (dropped > 0) log.error({ dropped }, 'Activity rows were dropped while the database was away');
      dropped = 0;
    } catch (error) {
      log.warn(
        { err: error, waiting: waiting.length },
        'Activity could not be written and will be tried again',
      );
      schedule();
    } finally {
      writing = undefined;
    }
  }

  return {
    record(call) {
      if (waiting.length >= waitingMax) {
        dropped += 1;
        return;
      }
      waiting.push({ ...call, id: createId(call.at) });
      if (waiting.length >= batchMax && !writing) void flush();
      else schedule();
    },
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}

async function writeBatch(
  pool: Database['pool'],
  batch: readonly WaitingCall[],
  alsoWrite: RecorderOptions['alsoWrite'],
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    if (await isNew(insertCalls(client, batch))) {
      await countCalls(client, batch);
      await alsoWrite(client, batch);
      await client.query('commit');
    } else {
      await client.query('rollback');
    }
    client.release();
  } catch (error) {
    // A connection in an unknown state is thrown away, which also rolls back.
    client.release(true);
    throw error;
  }
}

/** False for a batch that was committed before although the news of it was lost with the connection: its ids are taken. */
async function isNew(inserted: Promise<void>): Promise<boolean> {
  try {
    await inserted;
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}
