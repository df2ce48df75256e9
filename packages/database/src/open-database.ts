import { MikroORM, type EntitySchema } from '@mikro-orm/postgresql';
import pg from 'pg';
import { createAccountDatabase, freeAccess, gatedAccess, type AccountDatabase } from './account-database.ts';
import { createConnectionGate, type GateUsage } from './connection-gate.ts';
import { createCpuShare } from './cpu-share.ts';
import { readDatabaseTime } from './database-clock.ts';
import { ormOptions } from './orm-options.ts';

/** Work of the service itself has no account: it uses the connections that accounts leave, two at least. */
export interface Database extends AccountDatabase {
  orm: MikroORM;
  /** For hot statements: plain SQL, named so that each connection prepares it once. */
  pool: pg.Pool;
  /** A connection of its own, for what lives as long as a session does: advisory locks, notifications. The caller ends it. */
  connect(): Promise<pg.Client>;
  /**
   * The database as calls of one account reach it: at most all but two of the connections that accounts share, in turns
   * with the other accounts. A call that waits too long for its turn throws service_busy.
   */
  ofAccount(accountId: string): AccountDatabase;
  /** Connections that accounts use now, and calls that wait for one, of each of the two pools. */
  usage(): { statements: GateUsage; transactions: GateUsage };
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** Connections that accounts share, in each of the two pools; 10. */
  poolSize?: number;
  /** The longest a call of an account waits for its turn; 5 s. */
  waitMaxMs?: number;
}

interface OpenOptions {
  url: string;
  entities: readonly EntitySchema[];
  /** Shown in pg_stat_activity. */
  name: string;
  connections?: ConnectionOptions | undefined;
  /** Told about connections that Postgres dropped while idle; the pools replace them by themselves. */
  onConnectionError?: (error: Error) => void;
}

/** Connections of each pool that accounts never use. */
const ownConnections = 2;

/** Connections that are left to the other accounts when one has all it may have. */
const leftToOthers = 2;

/** More calls than an account may send in a minute, as the limit is set for most. */
const waitingMax = 1000;

/** Opens the ORM and the raw pool on one database. A statement may take 30 s, waiting for a connection 10 s. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { connections: { poolSize = 10, waitMaxMs = 5000 } = {}, onConnectionError = () => undefined } =
    options;
  const connectionsMax = poolSize + ownConnections;
  const orm = await MikroORM.init(ormOptions({ ...options, poolSize: connectionsMax }));
  const ormPool: pg.Pool = await orm.em.getConnection('write').getNativeClient();
  const pool = new pg.Pool({
    connectionString: options.url,
    max: connectionsMax,
    application_name: options.name,
    statement_timeout: 30_000,
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', (error) => {
    // With the whole of the client on it, a line of log is three pages.
    delete (error as { client?: unknown }).client;
    onConnectionError(error);
  });
  pool.on('connect', (client) => void client.on('error', onConnectionError));
  // Ids are made by the database's clock from the first one on. A database that is away answers later.
  await readDatabaseTime(pool).catch(() => undefined);

  const accountMax = Math.max(1, poolSize - leftToOthers);
  const gateOptions = { places: poolSize, accountMax, waitMaxMs, waitingMax };
  const statementGate = createConnectionGate(gateOptions);
  const cpu = createCpuShare();
  // Work that costs much CPU is in transactions; single statements never wait for it.
  const transactionGate = createConnectionGate({ ...gateOptions, cpu });

  return {
    ...createAccountDatabase({
      orm,
      statements: freeAccess(pool),
      transactions: freeAccess(ormPool),
    }),
    orm,
    pool,
    fork: () => orm.em.fork(),
    ofAccount: (accountId) =>
      createAccountDatabase({
        orm,
        statements: gatedAccess(pool, { gate: statementGate, cpu }, accountId),
        transactions: gatedAccess(ormPool, { gate: transactionGate, cpu }, accountId),
      }),
    usage: () => ({ statements: statementGate.usage(), transactions: transactionGate.usage() }),
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
    async close() {
      await Promise.all([orm.close(true), pool.end()]);
    },
  };
}
