import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { Transaction } from './account-work.ts';
import { queryOn, type Query } from './query.ts';

/** A transaction whose end is somewhere else than its beginning. */
export interface OpenTransaction extends Transaction {
  /** Writes what the unit of work still holds, commits, then waits for the `afterCommit` callbacks. */
  commit(): Promise<void>;
  /** Takes everything back; does nothing after a commit. Never throws: a connection that is gone has rolled back already. */
  rollback(): Promise<void>;
}

/**
 * Opens a transaction on one of the ORM's connections, which is held here and not by its query builder: that gives a
 * connection that Postgres dropped in the middle of a transaction never back, so that ten of them are the end of the pool.
 * The unit of work costs more than most statements, so there is none until somebody asks for it.
 */
export async function beginTransaction(orm: MikroORM): Promise<OpenTransaction> {
  const pool: pg.Pool = await orm.em.getConnection('write').getNativeClient();
  const connection = await pool.connect();
  const sendTogether = createGathering(connection);
  const queryNow = queryOn(connection);
  const query: Query = (statement, values) => {
    sendTogether();
    return queryNow(statement, values);
  };
  const deferred: (() => Promise<unknown>)[] = [];
  const callbacks: (() => void | Promise<void>)[] = [];
  let em: EntityManager | undefined;
  let isOpen = true;
  // Not waited for: the first statement follows it on the same connection, and a failure is told at the end.
  sendTogether();
  const begun = connection.query('begin');
  begun.catch(() => undefined);

  return {
    get em() {
      return (em ??= unitOfWorkOn(orm, connection));
    },
    query,
    defer: (statement, values) => void deferred.push(() => query(statement, values)),
    afterCommit: (callback) => void callbacks.push(callback),
    async commit() {
      await begun;
      await em?.flush();
      const written = Promise.all(deferred.map((write) => write()));
      const committed = connection.query('commit');
      committed.catch(() => undefined);
      await written;
      const { command } = await committed;
      // Postgres answers the commit of a transaction in which something failed with a rollback, and no error.
      if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.');
      isOpen = false;
      connection.release();
      await Promise.all(callbacks.map(async (callback) => callback()));
    },
    async rollback() {
      if (!isOpen) return;
      isOpen = false;
      await connection.query('rollback').then(
        () => connection.release(),
        () => connection.release(true),
      );
    },
  };
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

/** All that the ORM asks of a transaction it works in. */
interface TransactionContext {
  executeQuery(query: { sql: string }): Promise<{ rows: unknown[]; numAffectedRows?: bigint }>;
}

function unitOfWorkOn(orm: MikroORM, connection: pg.PoolClient): EntityManager {
  const em = orm.em.fork();
  const context: TransactionContext = {
    async executeQuery({ sql }) {
      const { command, rowCount, rows } = await connection.query(sql);
      return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
  };
  em.setTransactionContext(context);
  return em;
}
