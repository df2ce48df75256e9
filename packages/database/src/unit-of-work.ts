import { DriverException, type EntityManager, type MikroORM } from '@mikro-orm/postgresql';
import { AppError } from '@service/errors';
import type pg from 'pg';

/** All that the ORM asks of a transaction it works in. */
interface TransactionContext {
  executeQuery(query: { sql: string }): Promise<{ rows: unknown[]; numAffectedRows?: bigint }>;
}

/** A unit of work whose statements all go through `send`, so that the ORM takes no connection by itself. */
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

/** The ORM replaces an error by its own copy of it, unless it is a DriverException: so a refusal travels as its cause. */
function throwForOrm(error: Error): never {
  throw error instanceof AppError ? Object.assign(new DriverException(error), { cause: error }) : error;
}
