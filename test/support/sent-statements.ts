// Announces the statements that this process sends to Postgres, of all its pools and connections.
import pg from 'pg';

export interface SentStatement {
  text: string;
  values: readonly unknown[];
  /** False for statements of the tests themselves and of libraries with a pool of their own. */
  isOfModules: boolean;
}

type Listener = (statement: SentStatement) => void;

/** Calls `listener` for each statement until it is disposed. */
export function onStatement(listener: Listener): Disposable {
  listeners.add(listener);
  return { [Symbol.dispose]: () => void listeners.delete(listener) };
}

/** The ORM writes a statement of a transaction with all its values, and quotes each name. */
const ofOrm = /^(?:select|insert into|update|delete from|with) .*?"\w+"\."\w+"/;

function announce(query: unknown, given: unknown): void {
  const { text, values, types } = (typeof query === 'string' ? { text: query } : query) as Partial<
    pg.QueryConfig & { types: unknown }
  >;
  if (text === undefined) return;
  const isOfModules = types !== undefined || (given === undefined && ofOrm.test(text));
  const statement = { text, values: values ?? (Array.isArray(given) ? given : []), isOfModules };
  for (const listener of listeners) listener(statement);
}

// Files of tests share a process, and may each load this module.
const shared = globalThis as { statementListeners?: Set<Listener> };
const listeners = (shared.statementListeners ??= listenToClients());

function listenToClients(): Set<Listener> {
  const { query: send } = pg.Client.prototype;
  pg.Client.prototype.query = function query(this: pg.Client, ...given: unknown[]): unknown {
    announce(given[0], given[1]);
    return Reflect.apply(send, this, given);
  } as typeof send;
  return new Set();
}
