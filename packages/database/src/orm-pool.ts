// The ORM's connections belong to its query builder. Two things need them all the same, and are seen to here.
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

interface Taking {
  connection?: pg.PoolClient;
}

const taking = new AsyncLocalStorage<Taking>();

/** Hooks into a pool that the ORM has just made. */
export function watchOrmPool(pool: pg.Pool): void {
  giveBackLostConnections(pool);
  tellWhoTakes(pool);
}

/** The connection that the query builder takes from its pool while `open` runs, for statements of our own on it. */
export async function connectionTakenBy(open: () => Promise<void>): Promise<pg.PoolClient> {
  const taken: Taking = {};
  await taking.run(taken, open);
  if (!taken.connection) throw new Error('The ORM opened a transaction without taking a connection.');
  return taken.connection;
}

function tellWhoTakes(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  pool.connect = (async () => {
    const connection = await connect();
    const taken = taking.getStore();
    if (taken) taken.connection = connection;
    return connection;
  }) as typeof pool.connect;
}

/**
 * A connection that Postgres drops in the middle of a transaction cannot be rolled back, so the query builder never gives
 * it back, and its place in the pool would be lost for good (ten of them and nobody gets one any more).
 */
function giveBackLostConnections(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    client.once('end', () => {
      const { release } = client as Partial<pg.PoolClient>;
      try {
        release?.(true);
      } catch {
        // It was idle, or its holder has given it back.
      }
    });
  });
}
