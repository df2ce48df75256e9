// Settings of Postgres that the statements of a pool need. A direct connection gets them when it starts. PgBouncer in transaction mode
// refuses that, and would give a `set` of one process to another one (https://www.pgbouncer.org/features.html). So behind a pooler
// every transaction begins with them, and a statement outside of a transaction is sent as a transaction of its own.
import { callbackify } from 'node:util';
import pg from 'pg';

/** Values are constants of ours, in the spelling of `set`. */
export type ConnectionSettings = Readonly<Record<string, string | number>>;

/**
 * Postgres finds partitions by their bounds. It would also compare the checks of each partition with the statement: with ninety
 * partitions a quarter of the planning time.
 */
export const usualSettings: ConnectionSettings = { constraint_exclusion: 'off' };

interface PoolOptions {
  url: string;
  /** The URL is that of a pooler. */
  isPooled: boolean;
  settings: ConnectionSettings;
  /** Connections at most. */
  max: number;
  /** Shown in pg_stat_activity. */
  name: string;
  /** Called for an idle connection that was lost. The pool replaces it. */
  onError: (error: Error) => void;
  /** The longest wait for a connection; 10 s. */
  connectMaxMs?: number;
  /** The longest wait for the answer of a statement, after which its connection is closed. Left out: no limit but that of Postgres. */
  answerMaxMs?: number;
}

/** An idle connection is closed after this time. To open one costs 20 ms of CPU, and an idle worker needs several at each full minute. */
export const idleMaxMs = 75_000;

/** A pool of connections that are opened when they are needed. */
export function openPool(options: PoolOptions): pg.Pool {
  const { url, isPooled, settings, max, name, onError, connectMaxMs = 10_000, answerMaxMs } = options;
  const pool = new pg.Pool({
    max,
    application_name: name,
    connectionTimeoutMillis: connectMaxMs,
    idleTimeoutMillis: idleMaxMs,
    keepAlive: true,
    ...(answerMaxMs !== undefined && { query_timeout: answerMaxMs }),
    ...connectionOptions(url, settings, isPooled),
  });
  pool.on('error', (error) => {
    // The client on the error would add three pages to the line of log.
    delete (error as { client?: unknown }).client;
    onError(error);
  });
  pool.on('connect', (client) => void client.on('error', onError));
  return pool;
}

/**
 * The options of node-postgres that give these settings to all statements of a pool. They win over settings of the same name in the
 * URL; other `options` of the URL are kept.
 */
export function connectionOptions(url: string, settings: ConnectionSettings, isPooled: boolean) {
  const entries = Object.entries(settings);
  if (!isPooled) {
    const direct = new URL(url);
    // Postgres takes the last value of a setting.
    const options = [
      direct.searchParams.get('options') ?? '',
      ...entries.map(([name, value]) => `-c ${name}=${value}`),
    ];
    // node-postgres would prefer the parameters of the URL.
    for (const name of ['options', ...Object.keys(settings)]) direct.searchParams.delete(name);
    return { connectionString: direct.href, options: options.join(' ').trim() };
  }
  const begin = ['begin', ...entries.map(([name, value]) => `set local ${name} = ${value}`)].join('; ');
  return {
    connectionString: url,
    // The answers of `begin` and `commit` need no round trips of their own.
    pipeline: true,
    Client: class extends PooledClient {
      protected override readonly begin = begin;
    },
  };
}

type Queryable = string | { text?: string; submit?: unknown };
type Callback = (error: unknown, result?: unknown) => void;

const isBegin = /^\s*begin\b/i;
const isEnd = /^\s*(?:commit|rollback(?!\s+to\b))\b/i;
const endsWithCommit = /;\s*commit\s*;?\s*$/i;

abstract class PooledClient extends pg.Client {
  /** Begins a transaction with the settings of the pool. */
  protected abstract readonly begin: string;
  #isInTransaction = false;

  override query(config: Queryable, ...rest: unknown[]): never {
    const text = (typeof config === 'string' ? config : config.text) ?? '';
    const send = super.query.bind(this) as unknown as (...call: unknown[]) => Promise<unknown>;
    if (typeof config === 'string' && isBegin.test(text)) {
      this.#isInTransaction = !endsWithCommit.test(text);
      return send(text.replace(isBegin, this.begin), ...rest) as never;
    }
    if (this.#isInTransaction) {
      if (isEnd.test(text)) this.#isInTransaction = false;
      return send(config, ...rest) as never;
    }
    const callback = typeof rest.at(-1) === 'function' ? (rest.pop() as Callback) : undefined;
    const { stream } = this.connection;
    stream.cork();
    const answers = [send(this.begin), send(config, ...rest), send('commit')];
    process.nextTick(() => stream.uncork());
    const answered = resultOf(answers);
    if (!callback) return answered as never;
    callbackify(() => answered)(callback);
    return undefined as never;
  }
}

/** The answer of the statement between `begin` and `commit`. It waits for all of them, so that the connection is free afterwards. */
async function resultOf(answers: readonly Promise<unknown>[]): Promise<unknown> {
  const [begun, result, committed] = await Promise.allSettled(answers);
  for (const answer of [begun!, result!, committed!])
    if (answer.status === 'rejected') throw answer.reason as Error;
  return (result as PromiseFulfilledResult<unknown>).value;
}
