import { setTimeout as delay } from 'node:timers/promises';
import { column, rowsToColumns, statement, type Query } from '@service/database';
import type { Log } from '@service/log';
import type { SendTimings } from '@service/outbound-http';
import { addUsage, bytesOfAttempt } from '../account/delivery-usage.ts';
import { idRange } from '../queue/claim.ts';
import type { NextTry } from './next-try.ts';

/** The record of one attempt. */
export interface AttemptResult extends Omit<NextTry, 'restSeconds'>, SendTimings {
  deliveryId: string;
  accountId: string;
  claim: string;
  number: number;
  url: string;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  redirects: readonly string[];
  signature: string;
  standardSignature: string;
}

export type WriteBack = ReturnType<typeof createWriteBack>;

interface WrittenBatch {
  count: number;
  late: number;
  seconds: number;
  accountIds: ReadonlySet<string>;
}

interface WriteBackOptions {
  query: Query;
  log: Log;
  /** Called after every successful write. `late` results had lost their lease and changed nothing. */
  onWritten: (batch: WrittenBatch) => void;
}

const batchMax = 1000;
const batchEnough = 400;
const collectMs = 20;
const retryFirstMs = 50;
const retryMaxMs = 2000;

/**
 * Writes results in batches: as soon as there are 400, else after 20 ms. Only one write runs at a time, so batches grow when
 * the database is slow. A failed write is repeated until it succeeds; if the leases end before, it changes nothing. When the
 * database refuses the data of a result, this result is found by halving the batch and is dropped: its lease ends and the
 * delivery is tried again.
 */
export function createWriteBack({ query, log, onWritten }: WriteBackOptions) {
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
        const written = await writeBatch(query, batch);
        waiting = waiting.slice(batch.length);
        const late = batch.length - written;
        if (late > 0) log.warn({ late }, 'Results came after their leases');
        onWritten({
          count: batch.length,
          late,
          seconds: (performance.now() - startedAt) / 1000,
          accountIds: new Set(batch.map(({ accountId }) => accountId)),
        });
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
      // Few results are left: wait for more of them.
      if (waiting.length > 0 && waiting.length < Math.min(size, batchEnough)) await delay(collectMs);
    }
    writing = undefined;
  };

  const start = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // With nothing to write `writeAll` would end before its promise is assigned here.
    if (waiting.length > 0) writing ??= writeAll();
  };

  return {
    add(result: AttemptResult): void {
      waiting.push(result);
      if (writing) return;
      if (waiting.length >= batchEnough) start();
      else timer ??= setTimeout(start, collectMs);
    },
    /** The number of results that are not in the database yet. */
    waiting: (): number => waiting.length,
    /** Resolves when all results are in the database. */
    async drain(): Promise<void> {
      start();
      await writing;
    },
  };
}

/** Returns how many results still had their lease. */
async function writeBatch(query: Query, batch: readonly AttemptResult[]): Promise<number> {
  const values = [
    ...rowsToColumns(batch, 'deliveryId', 'accountId', 'claim', 'number', 'tries', 'waitSeconds', 'url'),
    ...rowsToColumns(batch, 'startedAt', 'durationMs', 'responseCode', 'responseSnippet', 'failure'),
    ...rowsToColumns(batch, 'failureMessage', 'dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'),
    batch.map(({ redirects }) => toArrayLiteral(redirects)),
    ...rowsToColumns(batch, 'signature', 'standardSignature', 'responseHeaders'),
  ];
  const isSuccess = ({ waitSeconds, failure }: AttemptResult): boolean =>
    waitSeconds === null && failure === null;
  const [row] = batch.every(isSuccess)
    ? await query(writeSuccesses, values)
    : await query(writeResults, [...values, ...idRange(batch.map(({ deliveryId }) => deliveryId))]);
  return row!.written;
}

/** Postgres has no arrays of arrays with different lengths, so each inner array is passed as text. */
const toArrayLiteral = (texts: readonly string[]): string | null =>
  texts.length === 0 ? null : `{${texts.map((text) => JSON.stringify(text)).join(',')}}`;

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint): a repetition would fail in the same way. */
const isRefusal = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '');

const attemptColumns = `
  delivery_id, number, account_id, url, started_at, duration_ms, response_code, response_snippet, failure, failure_message,
  dns_ms, connect_ms, tls_ms, first_byte_ms, signature, standard_signature, response_headers`;

/** $1 to $21, column by column. Arrays, because JSON costs Postgres seven times as much. */
const results = `
  result as materialized (
    select * from unnest(
      $1::uuid[], $2::uuid[], $3::uuid[], $4::smallint[], $5::smallint[], $6::float8[], $7::text[], $8::timestamptz[],
      $9::integer[], $10::smallint[], $11::text[], $12::text[], $13::text[], $14::integer[], $15::integer[],
      $16::integer[], $17::integer[], $18::text[], $19::text[], $20::text[], $21::text[]
    ) as result (
      delivery_id, account_id, claim, number, tries, wait_seconds, url, started_at, duration_ms, response_code,
      response_snippet, failure, failure_message, dns_ms, connect_ms, tls_ms, first_byte_ms, redirects, signature,
      standard_signature, response_headers)
  )`;

/** A result counts only while its claim token is the one of the row. */
const isClaimed =
  'due.delivery_id = result.delivery_id and due.account_id = result.account_id and due.claim = result.claim';

const deleteEnded = `
  ended as (
    delete from deliveries.due using result where ${isClaimed} and result.wait_seconds is null returning result.*
  )`;

/** Writes the attempts of `recorded`, and counts what has left the queue. */
const writeAttempts = (recorded: string): string => `
  written as (
    insert into deliveries.attempt (${attemptColumns}, redirects)
    select ${attemptColumns}, redirects::text[] from (${recorded}) result
    returning account_id, ${bytesOfAttempt} as bytes
  ), used as (
    select account_id, sum(waiting) as waiting, sum(bytes) as bytes
    from (select account_id, 0 as waiting, bytes from written union all select account_id, -1, 0 from ended) change
    group by account_id order by account_id
  ), ${addUsage('used')}
  select count(*)::integer as written from written`;

const writtenRow = { written: column.integer };

/** For results that are all successes. It does not touch the partitions of `delivery`, so its plan can be kept. */
const writeSuccesses = statement({
  name: 'deliveries.write_successes',
  text: `with ${results}, ${deleteEnded}, ${writeAttempts('select * from ended')}`,
  row: writtenRow,
});

/** $22 the lowest and $23 the highest delivery id. */
const writeResults = statement({
  text: `
    with ${results}, ${deleteEnded}, postponed as (
      update deliveries.due
      set claim = null, leased_until = null, own_due_at = null, attempts = number, tries = result.tries,
        due_at = case when wait_seconds = 'Infinity' then 'infinity' else now() + make_interval(secs => wait_seconds) end
      from result
      where ${isClaimed} and result.wait_seconds is not null
      returning result.*
    ), failed as (
      update deliveries.delivery set ended_as = 'failure'
      from ended
      where delivery.id = ended.delivery_id and delivery.account_id = ended.account_id
        and delivery.id between $22 and $23 and ended.failure is not null
    ), ${writeAttempts('select * from ended union all select * from postponed')}`,
  row: writtenRow,
});
