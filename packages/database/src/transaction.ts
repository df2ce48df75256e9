import { DriverException, type EntityManager, type MikroORM } from '@mikro-orm/postgresql';
import { commonErrors, AppError } from '@service/errors';
import type pg from 'pg';
import type { Transaction } from './account-work.ts';
import { nextTurn } from './long-work.ts';
import { isUnreachable } from './pg-error.ts';
import { queryOn, type Query } from './query.ts';
import { threadIdleMs } from './thread-time.ts';

/** A transaction that its caller ends. */
export interface OpenTransaction extends Transaction {
  /**
   * Flushes the unit of work, commits and waits for the `afterCommit` callbacks. Throws outcome_unknown when the connection is lost
   * after the commit was sent.
   */
  commit(): Promise<void>;
  /** Rolls back. Does nothing after a commit. Never throws: a lost connection has rolled back already. */
  rollback(): Promise<void>;
}

/** A connection for one transaction. */
export interface TransactionConnection {
  connection: pg.PoolClient;
  /** Called once. A broken connection is closed. */
  giveBack: (isBroken: boolean) => void;
  /** Records the time of a statement in Postgres, by `threadIdleMs`. */
  chargeStatement: (usedMs: number) => void;
}

/**
 * Opens a transaction on a connection of the ORM. The ORM itself would never return a connection to its pool that was lost in the
 * middle of a transaction, and ten of them would exhaust the pool. The unit of work is created at its first use, because it costs
 * more than most statements.
 */
export function beginTransaction(
  orm: MikroORM,
  { connection, giveBack, chargeStatement }: TransactionConnection,
): OpenTransaction {
  const corkUntilNextTick = createCork(connection);
  const queryNow = queryOn(connection);
  const deferred: (() => Promise<unknown>)[] = [];
  const followers: ((query: Query) => Promise<void> | undefined)[] = [];
  const callbacks: (() => void | Promise<void>)[] = [];
  let em: EntityManager | undefined;
  let isOpen = true;

  // Work after the end must not reach the connection, which may serve another account then.
  const requireOpen = (): void => {
    if (!isOpen) throw new Error('The transaction has ended.');
  };
  const query: Query = async (statement, values) => {
    requireOpen();
    corkUntilNextTick();
    return charged(() => queryNow(statement, values));
  };
  const sendOfUnit = async (sql: string): Promise<pg.QueryResult<pg.QueryResultRow>> => {
    requireOpen();
    return charged(() => connection.query<pg.QueryResultRow>(sql));
  };
  /** Statements that are sent together wait for each other: their time is that of the last one. */
  let answeredAtMs = 0;
  const charged = async <Result>(send: () => Promise<Result>): Promise<Result> => {
    const sentAtMs = threadIdleMs();
    try {
      return await send();
    } finally {
      const nowMs = threadIdleMs();
      chargeStatement(nowMs - Math.max(sentAtMs, answeredAtMs));
      answeredAtMs = nowMs;
    }
  };

  // Not awaited: the first statement follows on the same connection, and `commit` throws an error of `begin`.
  corkUntilNextTick();
  const begun = connection.query('begin');
  begun.catch(() => undefined);

  return {
    get em() {
      return (em ??= unitOfWorkOn(orm, sendOfUnit));
    },
    query,
    defer: (statement, values) => void deferred.push(() => query(statement, values)),
    followCommit: (send) => void followers.push(send),
    afterCommit: (callback) => void callbacks.push(callback),
    async commit() {
      await begun;
      await em?.flush();
      await writeEarly(deferred);
      const written = Promise.all(deferred.map((write) => write()));
      const committed = connection.query('commit');
      const followed = Promise.all(followers.map(async (send) => send(queryNow)));
      await outcomeOf(written, committed);
      isOpen = false;
      followed.then(
        () => giveBack(false),
        () => giveBack(true),
      );
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

/** Writes that are sent together with the commit at most. */
const writtenWithCommit = 8;

/** Sends all but the last writes before the commit: each may be hundreds of rows, so other calls run between them. */
async function writeEarly(writes: (() => Promise<unknown>)[]): Promise<void> {
  for (const write of writes.splice(0, Math.max(0, writes.length - writtenWithCommit))) {
    await write();
    await nextTurn();
  }
}

/** Waits for a commit and the writes that were sent with it. */
async function outcomeOf(written: Promise<unknown>, committed: Promise<pg.QueryResult>): Promise<void> {
  committed.catch(() => undefined);
  try {
    await written;
    const { command } = await committed;
    // Postgres answers the commit of a failed transaction with a rollback and without an error.
    if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.');
  } catch (error) {
    if (isUnreachable(error)) throw commonErrors.outcome_unknown({ cause: error, retryAfterSeconds: 1 });
    throw error;
  }
}

/** Statements of one tick are written to the socket in one system call, which costs more than most statements. */
function createCork({ connection: { stream } }: pg.PoolClient): () => void {
  let isCorked = false;
  return () => {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    process.nextTick(() => {
      isCorked = false;
      stream.uncork();
    });
  };
}

/** The part of a transaction that the ORM uses. */
interface TransactionContext {
  executeQuery(query: { sql: string }): Promise<{ rows: unknown[]; numAffectedRows?: bigint }>;
}

/** A unit of work that sends all its statements through `send`, so that the ORM takes no connection of its own. */
export function unitOfWorkOn(
  orm: MikroORM,
  send: (sql: string) => Promise<pg.QueryResult<pg.QueryResultRow>>,
): EntityManager {
  const em = orm.em.fork();
  const context: TransactionContext = {
    async executeQuery({ sql }) {
      const { command, rowCount, rows } = await send(sql).catch(throwForOrm);
      return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
  };
  em.setTransactionContext(context);
  return em;
}

/** The ORM replaces every error except a DriverException by a copy. So an AppError is passed as the cause of one. */
function throwForOrm(error: Error): never {
  throw error instanceof AppError ? Object.assign(new DriverException(error), { cause: error }) : error;
}
