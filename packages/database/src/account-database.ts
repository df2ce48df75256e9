import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { AppError } from '@service/errors';
import type pg from 'pg';
import type { AccountShare } from './account-share.ts';
import type { Transaction } from './account-work.ts';
import type { ConnectionGate } from './connection-gate.ts';
import { queryOn, type Query } from './query.ts';
import type { Replica } from './replica.ts';
import { currentPayer, threadIdleMs, workFor, type Payer } from './thread-time.ts';
import { beginTransaction, unitOfWorkOn, type OpenTransaction } from './transaction.ts';

/** The database as one account uses it. The account pays for the time of the thread that its results take, and for long statements. */
export interface AccountDatabase extends Payer {
  /**
   * Resolves when the account may run one more call. An account that has used more than its share runs one call at a time, or waits
   * for some time. The caller must call the returned function after the call. Throws service_busy after a long wait.
   */
  beginCall(): Promise<() => void>;
  /** A statement on any connection of the pool. */
  query: Query;
  /** A new unit of work with its own identity map, for one request or job. */
  fork(): EntityManager;
  /** For reads that may be some seconds late: those of the replica. Undefined while there is none, or while it is too late. */
  late(): LateReads | undefined;
  /** Runs `work` in one transaction. Its `afterCommit` callbacks run after the commit, and not after a rollback. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Opens a transaction. The caller must commit it or roll it back. */
  begin(): Promise<OpenTransaction>;
  /** Milliseconds until the account is within its share of the thread again; 0 for now. */
  restMs(): number;
}

export type LateReads = Pick<AccountDatabase, 'query' | 'fork'>;

/** A pool with a limit of connections in use. */
export interface PoolAccess {
  pool: pg.Pool;
  /** Resolves when a connection may be used. The caller must call the returned function after the use. */
  enter: () => Promise<() => void>;
  /** Pays for the time of the thread; undefined for work of the service itself. */
  payer: Payer | undefined;
  /** Records the time of a long statement in Postgres, by `threadIdleMs`. */
  chargeStatement: (usedMs: number) => void;
  /** Milliseconds until the account is within its share of the thread again. */
  restMs: () => number;
}

interface DatabaseAccess {
  orm: MikroORM;
  /** For single statements. They never wait for a transaction of the process. */
  statements: PoolAccess;
  /**
   * For transactions. A transaction may also send single statements, which use `statements`. It must never wait for a second
   * connection here, because the transactions of an account could then wait for each other for ever.
   */
  transactions: PoolAccess;
  replica?: { statements: PoolAccess; state: Pick<Replica, 'problem' | 'noteError'> } | undefined;
  beginCall: AccountDatabase['beginCall'];
}

type Send = <Result>(send: (connection: pg.PoolClient) => Promise<Result>) => Promise<Result>;

export function createAccountDatabase({
  orm,
  statements,
  transactions,
  replica,
  beginCall,
}: DatabaseAccess): AccountDatabase {
  const begin = async (): Promise<OpenTransaction> => {
    const { connection, giveBack } = await takeConnection(transactions);
    const { chargeStatement } = transactions;
    return beginTransaction(orm, { connection, giveBack, chargeStatement });
  };
  // The ORM expects times and other types as text.
  const { types } = transactions.pool.options;
  const onPrimary: Send = (send) => onConnection(statements, send);
  const onReplica: Send = async (send) => {
    try {
      return await onConnection(replica!.statements, send);
    } catch (error) {
      const isBusy = error instanceof AppError && error.code === 'service_busy';
      if (!isBusy && !replica!.state.noteError(error)) throw error;
      return onPrimary(send);
    }
  };
  const readsOn = (on: Send): LateReads => ({
    query: (statement, values) => on((connection) => queryOn(connection)(statement, values)),
    fork: () =>
      unitOfWorkOn(orm, (sql) =>
        on((connection) => connection.query<pg.QueryResultRow>({ text: sql, types })),
      ),
  });

  return {
    charge: (usedMs) => transactions.payer?.charge(usedMs),
    beginCall,
    ...readsOn(onPrimary),
    late: () => (replica && !replica.state.problem() ? readsOn(onReplica) : undefined),
    begin,
    restMs: transactions.restMs,
    async transaction(work) {
      const open = await begin();
      try {
        const result = await work(open);
        await open.commit();
        return result;
      } catch (error) {
        await open.rollback();
        throw error;
      }
    },
  };
}

const payerOfConnection = Symbol('payer');

interface PaidConnection extends pg.PoolClient {
  /** The account that uses the connection now. */
  [payerOfConnection]?: Payer | undefined;
}

/** The account that uses a connection pays for the time of the thread from each arrival of data on. */
export function nameWhoPays(pool: pg.Pool): void {
  const known = new WeakSet<pg.ClientBase>();
  // Not 'connect': the ORM has opened a connection before.
  pool.on('acquire', (client: PaidConnection) => {
    if (known.has(client)) return;
    known.add(client);
    client.connection.stream.prependListener('data', () => workFor(client[payerOfConnection]));
  });
}

interface TakenConnection {
  connection: pg.PoolClient;
  /** A broken connection is closed. */
  giveBack: (isBroken: boolean) => void;
}

async function takeConnection({ pool, enter, payer }: PoolAccess): Promise<TakenConnection> {
  const caller = currentPayer();
  const leave = await enter();
  try {
    const connection: PaidConnection = await pool.connect();
    // Another account may have given the place or the connection back.
    workFor(payer ?? caller);
    connection[payerOfConnection] = payer;
    return {
      connection,
      giveBack(isBroken) {
        connection[payerOfConnection] = undefined;
        connection.release(isBroken);
        leave();
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}

async function onConnection<Result>(
  access: PoolAccess,
  send: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const { connection, giveBack } = await takeConnection(access);
  const beganAtMs = threadIdleMs();
  let isBroken = true;
  try {
    const result = await send(connection);
    isBroken = false;
    return result;
  } finally {
    access.chargeStatement(threadIdleMs() - beganAtMs);
    giveBack(isBroken);
  }
}

/** Access for work of the service itself. It waits only for the pool. */
export const freeAccess = (pool: pg.Pool): PoolAccess => ({
  pool,
  enter: async () => () => undefined,
  payer: undefined,
  chargeStatement: () => undefined,
  restMs: () => 0,
});

/** Access for calls of one account. They take turns with the calls of other accounts. */
export const gatedAccess = (
  pool: pg.Pool,
  { gate, thread, statements }: { gate: ConnectionGate; thread: AccountShare; statements: AccountShare },
  accountId: string,
): PoolAccess => ({
  pool,
  enter: () => gate.enter(accountId),
  payer: { charge: (usedMs) => thread.charge(accountId, usedMs) },
  chargeStatement: (usedMs) => {
    if (usedMs > shortStatementMs) statements.charge(accountId, usedMs);
  },
  restMs: () => thread.restMs(accountId),
});

/** A shorter statement is not charged: on a busy machine every statement may take that long. */
const shortStatementMs = 20;
