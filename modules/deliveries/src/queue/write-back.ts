import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { setTimeout as delay } from 'node:timers/promises';
import type { SendOutcome } from '@service/outbound-http';
import { idRange } from './claim.ts';
import type { Settlement } from '../attempt/settle.ts';
import { writeResults } from './write-back.sql.ts';

/** What one attempt leaves behind. */
export interface AttemptResult extends Omit<Settlement, 'restSeconds'> {
  deliveryId: string;
  accountId: string;
  claim: string;
  number: number;
  url: string;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  timings: SendOutcome['timings'];
  redirects: readonly string[];
  signature: string;
  standardSignature: string;
}

export interface WriteBack {
  add(result: AttemptResult): void;
  /** Results not yet in the database. */
  waiting(): number;
  /** Resolves when nothing waits any more. */
  drain(): Promise<void>;
}

interface WriteBackOptions {
  pool: Database['pool'];
  log: Log;
  /** Called after every successful write; `late` ones had lost their lease and changed nothing. */
  onWritten: (batch: { count: number; late: number; seconds: number }) => void;
}

const batchMax = 1000;
const batchEnough = 400;
const collectMs = 20;
const retryFirstMs = 50;
const retryMaxMs = 2000;

/**
 * Writes results in batches: as soon as there are 400, else after 20 ms. Only one write is under way at a time, so
 * batches grow by themselves when the database is slow. A write that fails is repeated until it succeeds: if the leases
 * end meanwhile it changes nothing. A result the database refuses for what it holds is found by halving and dropped, so
 * that it cannot stand in the way of all others; its lease ends and it is tried again.
 */
export function createWriteBack({ pool, log, onWritten }: WriteBackOptions): WriteBack {
  let waiting: AttemptResult[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  const writeAll = async (): Promise<void> => {
    let retryMs = retryFirstMs;
    let size = batchMax;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, size);
      try {
        const startedAt = performance.now();
        const written = await writeBatch(pool, batch);
        waiting = waiting.slice(batch.length);
        const late = batch.length - written;
        if (late > 0) log.warn({ late }, 'Results came after their leases');
        onWritten({ count: batch.length, late, seconds: (performance.now() - startedAt) / 1000 });
        retryMs = retryFirstMs;
        size = batchMax;
      } catch (error) {
        if (isRefusal(error) && batch.length === 1) {
          waiting = waiting.slice(1);
          log.error({ err: error, deliveryId: batch[0]!.deliveryId }, 'A result was refused by the database');
        } else if (isRefusal(error)) {
          size = Math.ceil(batch.length / 2);
        } else {
          log.error(
            { err: error, waiting: waiting.length },
            'Results could not be written and will be tried again',
          );
          await delay(retryMs);
          retryMs = Math.min(retryMs * 2, retryMaxMs);
        }
      }
      // Little is left: let more of it come together.
      if (waiting.length > 0 && waiting.length < Math.min(size, batchEnough)) await delay(collectMs);
    }
    writing = undefined;
  };

  const start = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // Only with something to write: writeAll would otherwise be over before it is assigned here.
    if (waiting.length > 0) writing ??= writeAll();
  };

  return {
    add(result) {
      waiting.push(result);
      if (writing) return;
      if (waiting.length >= batchEnough) start();
      else timer ??= setTimeout(start, collectMs);
    },
    waiting: () => waiting.length,
    async drain() {
      start();
      await writing;
    },
  };
}

/** Returns how many results still held their claim. */
async function writeBatch(pool: Database['pool'], batch: readonly AttemptResult[]): Promise<number> {
  const ids = batch.map((result) => result.deliveryId);
  const { rowCount } = await pool.query(writeResults, [
    ids,
    batch.map((result) => result.accountId),
    batch.map((result) => result.claim),
    batch.map((result) => result.number),
    batch.map((result) => result.tries),
    batch.map((result) => result.waitSeconds),
    batch.map((result) => result.url),
    batch.map((result) => result.startedAt),
    batch.map((result) => result.durationMs),
    batch.map((result) => result.responseCode),
    batch.map((result) => result.responseSnippet),
    batch.map((result) => result.failure),
    batch.map((result) => result.failureMessage),
    batch.map((result) => result.timings.dnsMs),
    batch.map((result) => result.timings.connectMs),
    batch.map((result) => result.timings.tlsMs),
    batch.map((result) => result.timings.firstByteMs),
    batch.map((result) => toArrayLiteral(result.redirects)),
    batch.map((result) => result.signature),
    batch.map((result) => result.standardSignature),
    ...idRange(ids),
  ]);
  return rowCount ?? 0;
}

/** Postgres has no arrays of arrays of different lengths, so each goes as the text of one. */
const toArrayLiteral = (texts: readonly string[]): string | null =>
  texts.length === 0 ? null : `{${texts.map((text) => JSON.stringify(text)).join(',')}}`;

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint): the same again when repeated. */
const isRefusal = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '');
