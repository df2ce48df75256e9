import { setTimeout as delay } from 'node:timers/promises';
import { column, statement, toArrays, unnestArrays, type Query } from '@service/database';
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
  startedAt: Date;
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
  if (batch.every(isDirectSuccess))
    return (await query(writeSuccesses, toArrays(successTypes, batch)))[0]!.written;
  const results = batch.map((result) => ({ ...result, redirects: toArrayLiteral(result.redirects) }));
  const ids = idRange(batch.map(({ deliveryId }) => deliveryId));
  return (await query(writeResults, [...toArrays(resultTypes, results), ...ids]))[0]!.written;
}

/** A success without redirects. */
const isDirectSuccess = ({ waitSeconds, failure, redirects }: AttemptResult): boolean =>
  waitSeconds === null && failure === null && redirects.length === 0;

/** Postgres has no arrays of arrays with different lengths, so each inner array is passed as text. */
const toArrayLiteral = (texts: readonly string[]): string | null =>
  texts.length === 0 ? null : `{${texts.map((text) => JSON.stringify(text)).join(',')}}`;

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint), or no value of its type: a repetition would fail in the same way. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RangeError || /^2[23]/.test((error as { code?: string }).code ?? '');

/** The fields of a direct success. */
const successTypes = {
  deliveryId: 'uuid',
  accountId: 'uuid',
  claim: 'uuid',
  number: 'smallint',
  url: 'text',
  startedAt: 'timestamptz',
  durationMs: 'integer',
  responseCode: 'smallint',
  responseSnippet: 'text',
  responseHeaders: 'text',
  dnsMs: 'integer',
  connectMs: 'integer',
  tlsMs: 'integer',
  firstByteMs: 'integer',
  signature: 'text',
  standardSignature: 'text',
} as const;

const resultTypes = {
  ...successTypes,
  tries: 'smallint',
  waitSeconds: 'float8',
  failure: 'text',
  failureMessage: 'text',
  redirects: 'text',
} as const;

/** A result counts only while its claim token is the one of the row. */
const isClaimed =
  'due.delivery_id = result.delivery_id and due.account_id = result.account_id and due.claim = result.claim';

const attemptColumns = `
  delivery_id, number, account_id, url, started_at, duration_ms, response_code, response_snippet, response_headers, dns_ms,
  connect_ms, tls_ms, first_byte_ms, signature, standard_signature`;

/** Adds the attempts of `recorded` to what its accounts use, and counts them. `left` is the number that has left the queue. */
const countAttempts = (recorded: string, left: string): string => `
  used as (
    select account_id, -(${left}) as waiting, sum(${bytesOfAttempt}) as bytes
    from ${recorded} recorded group by account_id order by account_id
  ), ${addUsage('used')}
  select count(*)::integer as written from ${recorded} recorded`;

const writtenRow = { written: column.integer };

/** For direct successes only. It does not touch the partitions of `delivery`, so its plan can be kept. */
const writeSuccesses = statement({
  name: 'deliveries.write_successes',
  text: `
    with ended as (
      delete from deliveries.due using ${unnestArrays('result', successTypes)} where ${isClaimed} returning result.*
    ), written as (
      insert into deliveries.attempt (${attemptColumns}) select ${attemptColumns} from ended
    ), ${countAttempts('ended', 'count(*)')}`,
  row: writtenRow,
});

/** $22 the lowest and $23 the highest delivery id. */
const writeResults = statement({
  text: `
    with result as materialized (
      select * from ${unnestArrays('result', resultTypes)}
    ), ended as (
      delete from deliveries.due using result where ${isClaimed} and result.wait_seconds is null returning result.*
    ), postponed as (
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
    ), recorded as (
      select * from ended union all select * from postponed
    ), written as (
      insert into deliveries.attempt (${attemptColumns}, failure, failure_message, redirects)
      select ${attemptColumns}, failure, failure_message, redirects::text[] from recorded
    ), ${countAttempts('recorded', 'count(*) filter (where wait_seconds is null)')}`,
  row: writtenRow,
});
