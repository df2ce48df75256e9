// graphile-worker 0.18 writes down that a job is done without waiting for it. It tries again for a handful of errors only; any
// other one, such as that of a Postgres that is being restarted, is a rejection nobody handles, and the process ends.
import type pg from 'pg';

type QueryParameters = [query: string | pg.QueryConfig, values?: unknown[]];

/** The one of those it tries again that says what has happened: `cannot_connect_now`. */
const tryAgain = '57P03';

// The connection was cut (57P01, 57P02, 08), there are none left (53300), or the server is not there.
const isLostConnection = (code: string): boolean =>
  /^(57P0[12]|53300|08...)$/.test(code) || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code);

/** The same pool, whose connections say of every lost one that it is worth another try. */
export function createPatientPool(pool: pg.Pool): pg.Pool {
  return overriding(pool, {
    // With a callback it is for listening, which graphile-worker begins anew by itself.
    connect: (callback?: Parameters<pg.Pool['connect']>[0]) =>
      callback ? pool.connect(callback) : patiently(pool.connect()).then(patientClient),
    query: (...values: QueryParameters) => patiently(pool.query(...values)),
  });
}

const patientClient = (client: pg.PoolClient): pg.PoolClient =>
  overriding(client, { query: (...values: QueryParameters) => patiently(client.query(...values)) });

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
    // node-postgres gives no code when the connection ends in the middle of a query.
    if (isLostConnection(code) || message.startsWith('Connection terminated'))
      Object.assign(error as Error, { code: tryAgain });
    throw error;
  }
}
