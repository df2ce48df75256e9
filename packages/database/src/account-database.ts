import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Transaction } from './account-work.ts';
import type { ConnectionGate } from './connection-gate.ts';
import type { CpuShare } from './cpu-share.ts';
import { queryOn, type Query } from './query.ts';
import { beginTransaction, type OpenTransaction } from './transaction.ts';
import { unitOfWorkOn } from './unit-of-work.ts';

/** The ways to the database that a call of an account has. */
export interface AccountDatabase {
  /** A statement on any connection of the pool. */
  query: Query;
  /** A fork with an identity map of its own: one per request or job. */
  fork(): EntityManager;
  /** Runs `work` in one transaction on a fork; its `afterCommit` callbacks run after the commit, never after a rollback. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Opens a transaction for somebody who ends it elsewhere; exactly one of its ends must be called. */
  begin(): Promise<OpenTransaction>;
}

/** A pool, and a place in it for each connection that is used. */
export interface PoolAccess {
  pool: pg.Pool;
  /** Resolves when a connection may be used; the function it gives says that it is not used any more. */
  enter: () => Promise<() => void>;
  /** Records CPU time of the account. */
  charge: (cpuMs: number) => void;
}

interface DatabaseAccess {
  orm: MikroORM;
  /** For single statements, which never wait for anything else of the process. */
  statements: PoolAccess;
  /**
   * For transactions. A transaction may send single statements beside it, which take a place among `statements`; but it must
   * never wait for a second place here. Else the transactions of an account could wait for each other.
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
  // The ORM reads times and more as text.
  const { types } = transactions.pool.options;
  const sendOfReads = (sql: string) =>
    atPlace(statements, () => statements.pool.query<pg.QueryResultRow>({ text: sql, types }));

  return {
    query: (statement, values) => atPlace(statements, () => queryNow(statement, values)),
    fork: () => unitOfWorkOn(orm, sendOfReads),
    begin,
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

async function atPlace<Result>({ enter }: PoolAccess, work: () => Promise<Result>): Promise<Result> {
  const leave = await enter();
  try {
    return await work();
  } finally {
    leave();
  }
}

const leaveNothing = (): void => undefined;

/** Access for work of the service itself, which waits only for the pool. */
export const freeAccess = (pool: pg.Pool): PoolAccess => ({
  pool,
  enter: async () => leaveNothing,
  charge: () => undefined,
});

/** Access for calls of one account, which take turns with those of the others. */
export const gatedAccess = (
  pool: pg.Pool,
  { gate, cpu }: { gate: ConnectionGate; cpu: CpuShare },
  accountId: string,
): PoolAccess => ({
  pool,
  enter: () => gate.enter(accountId),
  charge: (cpuMs) => cpu.charge(accountId, cpuMs),
});
