import { MikroORM, type EntitySchema } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import {
  createAccountDatabase,
  freeAccess,
  gatedAccess,
  nameWhoPays,
  type AccountDatabase,
} from './account-database.ts';
import { createAccountShare, statementLimits, threadLimits, type ShareLimits } from './account-share.ts';
import { createConnectionGate, type GateUsage } from './connection-gate.ts';
import { openPool, usualSettings } from './connection-settings.ts';
import { readDatabaseTime } from './database-clock.ts';
import { ormOptions } from './orm-options.ts';
import { queryOn, statement } from './query.ts';
import { followReplica, type Replica, type ReplicaState } from './replica.ts';
import { column } from './row.ts';
import { createScarcity } from './thread-time.ts';

/** The database for work of the service itself, which has at least two connections that accounts never use. */
export interface Database extends AccountDatabase {
  orm: MikroORM;
  /** For frequent statements: plain SQL with a name, so that each connection prepares it once. */
  pool: pg.Pool;
  /** Direct connections, for work that needs a session, such as the upkeep of partitions. */
  sessionPool: pg.Pool;
  /** The pools are behind a pooler that gives out connections for a transaction. */
  isPooled: boolean;
  /** A direct connection, for advisory locks and notifications. The caller ends it. */
  connect(): Promise<pg.Client>;
  /**
   * The database for calls of one account. They take turns with other accounts, and use at most all but two of the shared
   * connections. A call that waits too long throws service_busy.
   */
  ofAccount(accountId: string): AccountDatabase;
  /** For each pool: the connections that accounts use, and the calls that wait for one. */
  usage(): { statements: GateUsage; transactions: GateUsage; replica?: GateUsage };
  /** Undefined without a replica. `lagMs` is undefined until the replica has been reached. */
  replica(): ReplicaState | undefined;
  /** Calls that run, and calls that wait because their account has used more than its share. */
  callUsage(): GateUsage;
  /** The use of an account in the last seconds, in milliseconds. */
  recentUse(accountId: string): { threadMs: number; statementMs: number };
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** Shared connections in each of the two pools; 10. */
  poolSize?: number;
  /** The longest wait of a call for a connection; 5 s. */
  waitMaxMs?: number;
  /** The longest time of a statement outside of a transaction; 30 s. */
  statementMaxMs?: number;
  /** Limits of an account's share of the thread and of the time of statements, instead of the usual ones. */
  shareLimits?: Partial<ShareLimits>;
  /** The part of its time from which on the thread is scarce, instead of the usual one. With 0 it always is. */
  threadScarceFrom?: number;
}

export interface ReplicaSettings {
  url: string;
  /** Reads go to the primary while the replica is further behind; 10 s. */
  lagMaxMs?: number;
  /** Called when reads begin to go to the replica or to the primary, and when the reason changes. */
  onChange?: (change: ReplicaState & { error: unknown }) => void;
}

interface OpenOptions {
  url: string;
  /** A direct connection to the same database. Set it when `url` is that of a pooler in transaction mode. */
  sessionUrl?: string | undefined;
  /** A replica for reads that may be late. */
  replica?: ReplicaSettings | undefined;
  entities: readonly EntitySchema[];
  /** Shown in pg_stat_activity. */
  name: string;
  connections?: ConnectionOptions | undefined;
  /** Called for an idle connection that was lost. The pools replace it. */
  onConnectionError?: (error: Error) => void;
}

/** Connections of each pool that accounts never use. */
const ownConnections = 2;

/** Connections that one account leaves to the others. */
const leftToOthers = 2;

/** Accounts whose database is kept for their next call. */
const accountDatabasesMax = 1000;

const sessionPoolSize = 2;

/** The primary is asked when the replica has not accepted a connection by then. */
const replicaConnectMaxMs = 3000;

/** Waiting calls of one account. It is more than the default rate limit of a minute. */
const waitingMax = 1000;

/** Opens the ORM and a plain pool on one database. A statement of a transaction may take 30 s, and the wait for a connection 10 s. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const {
    url,
    sessionUrl = url,
    name,
    connections = {},
    onConnectionError: onError = () => undefined,
  } = options;
  const {
    poolSize = 10,
    waitMaxMs = 5000,
    statementMaxMs = 30_000,
    shareLimits,
    threadScarceFrom,
  } = connections;
  const isPooled = sessionUrl !== url;
  const connectionsMax = poolSize + ownConnections;
  const orm = await MikroORM.init(ormOptions({ ...options, isPooled, poolSize: connectionsMax }));
  const ormPool: pg.Pool = await orm.em.getConnection('write').getNativeClient();
  const settings = { ...usualSettings, statement_timeout: statementMaxMs };
  const pool = openPool({ url, isPooled, settings, max: connectionsMax, name, onError });
  const sessionPool = isPooled
    ? openPool({ url: sessionUrl, isPooled: false, settings, max: sessionPoolSize, name, onError })
    : pool;
  const replicaPool =
    options.replica &&
    openPool({
      url: options.replica.url,
      // It may be behind a pooler too: transactions of reads are cheap.
      isPooled: true,
      settings,
      max: connectionsMax,
      name,
      onError,
      connectMaxMs: replicaConnectMaxMs,
      // Later than the limit of Postgres, so that it ends only reads whose packets are lost.
      answerMaxMs: statementMaxMs + 1000,
    });
  const close = async (): Promise<void> => {
    await replica?.close();
    const pools = [pool, ...(isPooled ? [sessionPool] : []), ...(replicaPool ? [replicaPool] : [])];
    await Promise.all([orm.close(true), ...pools.map((one) => one.end())]);
  };
  let replica: Replica | undefined;
  nameWhoPays(pool);
  nameWhoPays(ormPool);
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: sessionUrl,
      // Statements follow each other without waiting, such as the claims of a worker and its check of other workers.
      pipeline: true,
      application_name: name,
      keepAlive: true,
      query_timeout: 30_000,
      connectionTimeoutMillis: 10_000,
    });
    client.on('error', onError);
    await client.connect();
    return client;
  };
  if (isPooled && !(await isOneDatabase(pool, connect))) {
    await close();
    throw new Error('DATABASE_SESSION_URL is another database than DATABASE_URL');
  }
  if (options.replica && replicaPool) {
    nameWhoPays(replicaPool);
    const { lagMaxMs = 10_000, onChange = () => undefined } = options.replica;
    replica = followReplica({ primary: pool, replica: replicaPool, lagMaxMs, onChange });
  }
  // So that the first id already has the database's time. A failure here is corrected by a later answer.
  await readDatabaseTime(pool).catch(() => undefined);

  const accountMax = Math.max(1, poolSize - leftToOthers);
  const gateOptions = { places: poolSize, accountMax, waitMaxMs, waitingMax };
  const thread = createAccountShare(
    { ...threadLimits, ...shareLimits },
    { isScarce: createScarcity(threadScarceFrom) },
  );
  const statements = createAccountShare({ ...statementLimits, ...shareLimits });
  const shares = [thread, statements];
  const callGate = createConnectionGate({
    ...gateOptions,
    places: Infinity,
    accountMax: Infinity,
    shares,
  });
  // A statement does not wait for the shares, because it may belong to a transaction, which has locks.
  const statementGate = createConnectionGate(gateOptions);
  const transactionGate = createConnectionGate({ ...gateOptions, shares });
  // Of its own, so that reads of a replica that does not answer take no place of the primary.
  const replicaGate = createConnectionGate(gateOptions);
  // A call asks several times for it, and it is made of twenty functions.
  const accountDatabases = new LRUCache<string, AccountDatabase>({
    max: accountDatabasesMax,
    memoMethod: (accountId) =>
      createAccountDatabase({
        orm,
        statements: gatedAccess(pool, { gate: statementGate, thread, statements }, accountId),
        transactions: gatedAccess(ormPool, { gate: transactionGate, thread, statements }, accountId),
        replica: replica && {
          statements: gatedAccess(replicaPool!, { gate: replicaGate, thread, statements }, accountId),
          state: replica,
        },
        beginCall: () => callGate.enter(accountId),
      }),
  });

  return {
    ...createAccountDatabase({
      orm,
      statements: freeAccess(pool),
      transactions: freeAccess(ormPool),
      beginCall: async () => () => undefined,
    }),
    orm,
    pool,
    sessionPool,
    isPooled,
    fork: () => orm.em.fork(),
    ofAccount: (accountId) => accountDatabases.memo(accountId),
    usage: () => ({
      statements: statementGate.usage(),
      transactions: transactionGate.usage(),
      ...(replica && { replica: replicaGate.usage() }),
    }),
    replica: () => replica && { problem: replica.problem(), lagMs: replica.lagMs() },
    callUsage: () => callGate.usage(),
    recentUse: (accountId) => ({
      threadMs: thread.recentMs(accountId),
      statementMs: statements.recentMs(accountId),
    }),
    connect,
    close,
  };
}

const selectIdentity = statement({
  text: `select extract(epoch from pg_postmaster_start_time())::text as started_at, current_database()::text as name`,
  row: { started_at: column.text, name: column.text },
});

/** Notifications and locks of another database would have no effect. True also when one cannot be reached: `/readyz` reports that. */
async function isOneDatabase(pool: pg.Pool, connect: Database['connect']): Promise<boolean> {
  let session: pg.Client | undefined;
  try {
    session = await connect();
    const [one, other] = await Promise.all(
      [pool, session].map((connection) => queryOn(connection)(selectIdentity, [])),
    );
    return JSON.stringify(one) === JSON.stringify(other);
  } catch {
    return true;
  } finally {
    await session?.end().catch(() => undefined);
  }
}
