import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Transaction } from './account-work.ts';
import type { ConnectionGate } from './connection-gate.ts';
import type { CpuShare } from './cpu-share.ts';
import { queryOn, type Query } from './query.ts';
import { beginTransaction, type OpenTransaction } from './transaction.ts';
import { unitOfWorkOn } from './unit-of-work.ts';

/** The database as one account uses it. */
export interface AccountDatabase {
  /** A statement on any connection of the pool. */
  query: Query;
  /** A new unit of work with its own identity map, for one request or job. */
  fork(): EntityManager;
  /** Runs `work` in one transaction. Its `afterCommit` callbacks run after the commit, and not after a rollback. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Opens a transaction. The caller must commit it or roll it back. */
  begin(): Promise<OpenTransaction>;
  /** Records CPU time of the account. */
  charge(cpuMs: number): void;
  /** Milliseconds until the account is within its share of the CPU again; 0 for now. */
  restMs(): number;
}

/** A pool with a limit of connections in use. */
export interface PoolAccess {
  pool: pg.Pool;
  /** Resolves when a connection may be used. The caller must call the returned function after the use. */
  enter: () => Promise<() => void>;
  /** Records CPU time of the account. */
  charge: (cpuMs: number) => void;
  /** Milliseconds until the account is within its share of the CPU again. */
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
}

export function createAccountDatabase({ orm, statements, transactions }: DatabaseAccess): AccountDatabase {
  const begin = async (): Promise<OpenTransaction> => {
    const leave = await transactions.enter();
    try {
      const connection = await transactions.pool.connect();
      return beginTransaction(orm, { connection, leave, charge: transactions.charge });
    } catch (error) {
      leave();
      throw error;
    }
  };
  const queryNow = queryOn(statements.pool);
  // The ORM expects times and other types as text.
  const { types } = transactions.pool.options;
  const sendRead = (sql: string) =>
    withAccess(statements, () => statements.pool.query<pg.QueryResultRow>({ text: sql, types }));

  return {
    query: (statement, values) => withAccess(statements, () => queryNow(statement, values)),
    fork: () => unitOfWorkOn(orm, sendRead),
    begin,
    charge: transactions.charge,
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

async function withAccess<Result>({ enter }: PoolAccess, work: () => Promise<Result>): Promise<Result> {
  const leave = await enter();
  try {
    return await work();
  } finally {
    leave();
  }
}

/** Access for work of the service itself. It waits only for the pool. */
export const freeAccess = (pool: pg.Pool): PoolAccess => ({
  pool,
  enter: async () => () => undefined,
  charge: () => undefined,
  restMs: () => 0,
});

/** Access for calls of one account. They take turns with the calls of other accounts. */
export const gatedAccess = (
  pool: pg.Pool,
  { gate, cpu }: { gate: ConnectionGate; cpu: CpuShare },
  accountId: string,
): PoolAccess => ({
  pool,
  enter: () => gate.enter(accountId),
  charge: (cpuMs) => cpu.charge(accountId, cpuMs),
  restMs: () => cpu.restMs(accountId),
});
