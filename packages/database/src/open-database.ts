import { MikroORM, type EntityManager, type EntitySchema } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Transaction } from './account-work.ts';
import { readDatabaseTime } from './database-clock.ts';
import { beginTransaction, type OpenTransaction } from './transaction.ts';
import { ormOptions } from './orm-options.ts';
import { queryOn, type Query } from './query.ts';

export interface Database {
  orm: MikroORM;
  /** For hot statements: plain SQL, named so that each connection prepares it once. */
  pool: pg.Pool;
  /** A statement on any connection of the pool. */
  query: Query;
  /** A connection of its own, for what lives as long as a session does: advisory locks, notifications. The caller ends it. */
  connect(): Promise<pg.Client>;
  /** A fork with an identity map of its own: one per request or job. */
  fork(): EntityManager;
  /** Runs `work` in one transaction on a fork; its `afterCommit` callbacks run after the commit, never after a rollback. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Opens a transaction for somebody who ends it elsewhere; exactly one of its ends must be called. */
  begin(): Promise<OpenTransaction>;
  close(): Promise<void>;
}

interface OpenOptions {
  url: string;
  entities: readonly EntitySchema[];
  /** Shown in pg_stat_activity. */
  name: string;
  /** Connections of each of the two pools. */
  poolSize?: number;
  /** Told about connections that Postgres dropped while idle; the pools replace them by themselves. */
  onConnectionError?: (error: Error) => void;
}

/** Opens the ORM and the raw pool on one database. A statement may take 30 s, waiting for a connection 10 s. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const poolSize = options.poolSize ?? 10;
  const orm = await MikroORM.init(ormOptions({ ...options, poolSize }));
  const pool = new pg.Pool({
    connectionString: options.url,
    max: poolSize,
    application_name: options.name,
    statement_timeout: 30_000,
    connectionTimeoutMillis: 10_000,
  });
  const onConnectionError = options.onConnectionError ?? (() => undefined);
  pool.on('error', (error) => {
    // With the whole of the client on it, a line of log is three pages.
    delete (error as { client?: unknown }).client;
    onConnectionError(error);
  });
  pool.on('connect', (client) => void client.on('error', onConnectionError));
  // Ids are made by the database's clock from the first one on. A database that is away answers later.
  await readDatabaseTime(pool).catch(() => undefined);

  return {
    orm,
    pool,
    query: queryOn(pool),
    async connect() {
      const client = new pg.Client({
        connectionString: options.url,
        application_name: options.name,
        keepAlive: true,
        query_timeout: 30_000,
        connectionTimeoutMillis: 10_000,
      });
      client.on('error', onConnectionError);
      await client.connect();
      return client;
    },
    fork: () => orm.em.fork(),
    begin: () => beginTransaction(orm),
    async transaction(work) {
      const open = await beginTransaction(orm);
      try {
        const result = await work(open);
        await open.commit();
        return result;
      } catch (error) {
        await open.rollback();
        throw error;
      }
    },
    async close() {
      await Promise.all([orm.close(true), pool.end()]);
    },
  };
}
