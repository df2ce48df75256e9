// graphile-worker 0.18 writes the completion of a job without awaiting it. It repeats the write for a few errors only. Any other
// error, such as that of a restart of Postgres, becomes an unhandled rejection, and the process ends.
import type pg from 'pg';

type QueryParameters = [query: string | pg.QueryConfig, values?: unknown[]];

/** A code for which graphile-worker tries again: `cannot_connect_now`. */
const tryAgain = '57P03';

// The connection was closed (57P01, 57P02, 08), there are no more (53300), or the server cannot be reached.
const isLostConnection = (code: string): boolean =>
  /^(57P0[12]|53300|08...)$/.test(code) || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code);

const isTryAgain = (error: unknown): boolean => (error as { code?: string }).code === tryAgain;

type ConnectCallback = (error: Error | undefined, client: unknown, release: () => void) => void;

/**
 * The same pool. Every error of a lost connection gets a code for which graphile-worker tries again. With a callback graphile-worker
 * asks for a connection that listens: `createListener` makes it, or it is one of the pool, which graphile-worker opens again by itself.
 */
export function createPatientPool(pool: pg.Pool, createListener?: () => object): pg.Pool {
  return overriding(pool, {
    connect(callback?: ConnectCallback) {
      if (!callback) return patiently(pool.connect()).then(patientClient);
      if (!createListener) return pool.connect(callback);
      callback(undefined, createListener(), () => undefined);
    },
    query: (...values: QueryParameters) => patiently(pool.query(...values)),
  });
}

// graphile-worker gives a lost connection back as if it could be used again, and the pool's next user would get it.
function patientClient(client: pg.PoolClient): pg.PoolClient {
  let isLost = false;
  const noteLoss = (error: unknown): never => {
    isLost ||= isTryAgain(error);
    throw error;
  };
  return overriding(client, {
    query: (...values: QueryParameters) => patiently(client.query(...values)).catch(noteLoss),
    release: (error?: Error | boolean) => client.release(error ?? isLost),
  });
}

function overriding<Target extends object>(target: Target, methods: Record<string, unknown>): Target {
  return new Proxy(target, {
    get(_, name) {
      if (typeof name === 'string' && name in methods) return methods[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function patiently<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const { code = '', message = '' } = error as { code?: string; message?: string };
    // The error of node-postgres has no code when the connection ends in the middle of a query.
    if (isLostConnection(code) || message.startsWith('Connection terminated'))
      Object.assign(error as Error, { code: tryAgain });
    throw error;
  }
}
