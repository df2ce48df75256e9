import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { commonErrors } from '@service/errors';
import type pg from 'pg';
import type { Transaction } from './account-work.ts';
import { nextTurn } from './long-work.ts';
import { isUnreachable } from './pg-error.ts';
import { queryOn, type Query } from './query.ts';
import { unitOfWorkOn } from './unit-of-work.ts';

/** A transaction whose end is somewhere else than its beginning. */
export interface OpenTransaction extends Transaction {
  /**
   * Writes what the unit of work still holds, commits, then waits for the `afterCommit` callbacks.
   * Throws outcome_unknown when the connection is lost after the commit was sent.
   */
  commit(): Promise<void>;
  /** Takes everything back; does nothing after a commit. Never throws: a connection that is gone has rolled back already. */
  rollback(): Promise<void>;
}

/** A connection for one transaction; `leave` is called once, when it is back in its pool. */
export interface Lease {
  connection: pg.PoolClient;
  leave: () => void;
  charge: (cpuMs: number) => void;
}

/**
 * Opens a transaction on one of the ORM's connections, which is held here and not by its query builder: that gives a
 * connection that Postgres dropped in the middle of a transaction never back, so that ten of them are the end of the pool.
 * The unit of work costs more than most statements, so there is none until somebody asks for it.
 */
export function beginTransaction(orm: MikroORM, { connection, leave, charge }: Lease): OpenTransaction {
  const sendTogether = createGathering(connection);
  const queryNow = queryOn(connection);
  const deferred: (() => Promise<unknown>)[] = [];
  const callbacks: (() => void | Promise<void>)[] = [];
  let em: EntityManager | undefined;
  let isOpen = true;

  // Work that goes on after the end must not reach the connection: it may serve another account by then.
  const requireOpen = (): void => {
    if (!isOpen) throw new Error('The transaction has ended.');
  };
  const query: Query = async (statement, values) => {
    requireOpen();
    sendTogether();
    return queryNow(statement, values);
  };
  const sendOfUnit = async (sql: string): Promise<pg.QueryResult<pg.QueryResultRow>> => {
    requireOpen();
    return connection.query<pg.QueryResultRow>(sql);
  };
  const giveBack = (isBroken: boolean): void => {
    connection.release(isBroken);
    leave();
  };

  // Not waited for: the first statement follows it on the same connection, and a failure is told at the end.
  sendTogether();
  const begun = connection.query('begin');
  begun.catch(() => undefined);

  return {
    get em() {
      return (em ??= unitOfWorkOn(orm, sendOfUnit));
    },
    query,
    defer: (statement, values) => void deferred.push(() => query(statement, values)),
    afterCommit: (callback) => void callbacks.push(callback),
    charge,
    async commit() {
      await begun;
      await em?.flush();
      await writeEarly(deferred);
      const written = Promise.all(deferred.map((write) => write()));
      const committed = connection.query('commit');
      await outcomeOf(written, committed);
      isOpen = false;
      giveBack(false);
      await Promise.all(callbacks.map(async (callback) => callback()));
    },
    async rollback() {
      if (!isOpen) return;
      isOpen = false;
      await connection.query('rollback').then(
        () => giveBack(false),
        () => giveBack(true),
      );
    },
  };
}

/** Writes that are sent together with the commit. Those of usual transactions are fewer. */
const writtenWithCommit = 8;

/** Of many writes all but the last: each may be hundreds of rows, and the thread is free for others in between. */
async function writeEarly(writes: (() => Promise<unknown>)[]): Promise<void> {
  for (const write of writes.splice(0, Math.max(0, writes.length - writtenWithCommit))) {
    await write();
    await nextTurn();
  }
}

/** Waits for a commit and for the writes that were sent with it. */
async function outcomeOf(written: Promise<unknown>, committed: Promise<pg.QueryResult>): Promise<void> {
  committed.catch(() => undefined);
  try {
    await written;
    const { command } = await committed;
    // Postgres answers the commit of a transaction in which something failed with a rollback, and no error.
    if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.');
  } catch (error) {
    if (isUnreachable(error)) throw commonErrors.outcome_unknown({ cause: error, retryAfterSeconds: 1 });
    throw error;
  }
}

/**
 * What is asked in one breath goes to Postgres in one write: the system's call to write costs more than most statements.
 */
function createGathering({ connection: { stream } }: pg.PoolClient): () => void {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    stream.cork();
    process.nextTick(() => {
      isGathering = false;
      stream.uncork();
    });
  };
}
