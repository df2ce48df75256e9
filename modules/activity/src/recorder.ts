// Calls are written after their answers, in batches: a call waits for at most 250 ms or for 500 calls. Rows, counts and the keys'
// counters are one transaction, so they never disagree.
import { setTimeout as delay } from 'node:timers/promises';
import { createBatcher } from '@service/background';
import { createId, isRefusedValue, isUniqueViolation, type Database } from '@service/database';
import type { Log } from '@service/log';
import type { AnsweredCall } from '@service/surface';
import type pg from 'pg';
import { countCalls, insertCalls, type IdentifiedCall } from './write-calls.ts';

const waitMs = 250;
const batchMax = 500;
const retryMs = 250;
/** Calls that are kept while the database cannot be reached. Later calls are dropped, counted and logged. */
const waitingMax = 50_000;

export interface ActivityRecorder {
  /** Takes a call. It is in the database about 250 ms later. Never throws and never waits. */
  record(call: AnsweredCall): void;
  /** Writes the calls that wait. Resolves when all of them are in the database. */
  flush(): Promise<void>;
  /** Writes the calls that wait. Gives up after the first failure. */
  close(): Promise<void>;
}

interface RecorderOptions {
  pool: Database['pool'];
  log: Log;
  /** Runs in the transaction of each batch, and writes the keys' counters. */
  alsoWrite: (client: pg.ClientBase, calls: readonly AnsweredCall[]) => Promise<void>;
  /** Called after the commit of a batch. Must not throw. */
  onWritten?: (calls: readonly AnsweredCall[]) => void;
}

export function createActivityRecorder(options: RecorderOptions): ActivityRecorder {
  const { pool, log, alsoWrite, onWritten } = options;
  const closing = new AbortController();
  const { signal } = closing;
  let dropped = 0;
  let isGivenUp = false;

  // One batch at a time. A failed batch is repeated unchanged: it may be in the database although its commit was not answered, and
  // its ids show that only while the same calls are together.
  const batcher = createBatcher<IdentifiedCall>({
    waitMs,
    batchMax,
    waitingMax,
    async run(batch) {
      if ((await write(batch)) !== 'refused') return;
      // The batch has calls of many accounts. Alone, each call is refused only for a value of its own.
      for (const call of batch) if ((await write([call])) === 'refused') dropped += 1;
    },
  });

  /** Repeats until the calls are written. `refused` if Postgres cannot store one of their values; then none of them is written. */
  async function write(calls: readonly IdentifiedCall[]): Promise<'ended' | 'refused'> {
    while (!isGivenUp) {
      const isLastTry = signal.aborted;
      try {
        await writeBatch(pool, calls, alsoWrite);
        onWritten?.(calls);
        reportDropped();
        break;
      } catch (error) {
        log.warn({ err: error, calls: calls.length }, 'Activity could not be written');
        if (isRefusedValue(error)) return 'refused';
      }
      isGivenUp = isLastTry;
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
    return 'ended';
  }

  function reportDropped(): void {
    if (dropped > 0) log.error({ dropped }, 'Calls were dropped, because Activity could not be written');
    dropped = 0;
  }

  return {
    record(call) {
      if (!batcher.add({ ...call, id: createId(call.at) })) dropped += 1;
    },
    flush: () => batcher.drain(),
    async close() {
      closing.abort();
      await batcher.drain();
    },
  };
}

async function writeBatch(
  pool: Database['pool'],
  batch: readonly IdentifiedCall[],
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
    // The state of the connection is unknown. Closing it also rolls back.
    client.release(true);
    throw error;
  }
}

/** False for a batch whose ids exist: it was committed before, but the connection was lost before the answer arrived. */
async function isNew(inserted: Promise<void>): Promise<boolean> {
  try {
    await inserted;
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}
