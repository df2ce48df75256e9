import { DriverException, type EntityManager, type MikroORM } from '@mikro-orm/postgresql';
import { AppError } from '@service/errors';
import type pg from 'pg';

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
