import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { startHost, type HostProcess } from './host-process.ts';
import { claimOwnership } from './ownership.ts';
import { choosePlacement, type Placement } from './placement.ts';
import { removeStalePostmasterFile, stopPostmaster } from './postmaster.ts';

export interface EmbeddedPostgresOptions {
  /** The database's own folder, made when missing. As root it is handed to the system user `postgres`. */
  dataDir: string;
  /** A free one when left out. */
  port?: number;
  /** Server settings (postgresql.conf names) that win over ours. */
  settings?: Record<string, string>;
  /** Gets each line of the server's log and each of `notes`. */
  log?: (line: string) => void;
  /** The folder for data that the user `postgres` could not enter; /var/lib/webinar-service. */
  relocationRoot?: string;
}

export interface EmbeddedPostgres {
  /** postgres://app:password@127.0.0.1:port/app */
  url: string;
  /** The same server and user, database `postgres`. */
  adminUrl: string;
  port: number;
  /** The real folder of the data. It differs from the option when `postgres` could not enter root's folder. */
  dataDir: string;
  /** Sentences for people about programs or data that are not where one would look. */
  notes: string[];
  /** Resolves with the server's last log lines when it has ended, asked or not. */
  exited: Promise<string>;
  /** Fast shutdown: sessions are cut, committed work is on disk. `immediate` skips the checkpoint. Idempotent. */
  stop(options?: { immediate?: boolean }): Promise<void>;
}

/**
 * Starts the built-in PostgreSQL on a data folder, making the folder on first use, and creates the database `app`.
 * A server that outlived its owner is stopped first; a living owner is an error with code `already_running`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, settings = {}, log = () => {}, relocationRoot = '/var/lib/webinar-service' } = options;
  const binaries = await findBinaries();
  const placement = await choosePlacement({ dataDir, binaries, relocationRoot });
  placement.notes.forEach((note) => log(note));
  const release = await claimOwnership(placement.home, placement.user);
  let host: HostProcess | undefined;
  try {
    const cluster = await ensureCluster(placement, binaries.version);
    const server = await startServer({
      placement,
      cluster: cluster.folder,
      port: options.port,
      settings,
      log,
    });
    host = server.host;
    const address = `postgres://app:${cluster.password}@127.0.0.1:${server.port}`;
    const adminUrl = `${address}/postgres`;
    const url = await createDatabase(adminUrl, 'app');
    const exited = thenRelease(host.exited, release);
    exited.catch(() => {}); // stop() and other callers that await it get the error
    return {
      url,
      adminUrl,
      port: server.port,
      dataDir: placement.home,
      notes: placement.notes,
      exited,
      async stop(stopOptions) {
        await server.host.stop(stopOptions);
        await exited;
      },
    };
  } catch (error) {
    await host?.stop();
    await release();
    throw error;
  }
}

async function thenRelease(exited: Promise<string>, release: () => Promise<void>): Promise<string> {
  try {
    return await exited;
  } finally {
    await release();
  }
}

interface ServerOptions {
  placement: Placement;
  cluster: string;
  port: number | undefined;
  settings: Record<string, string>;
  log: (line: string) => void;
}

// For about a second after a crash the old server's lock or shared memory can look alive, and a free port can be taken
// by another program before the server has it. Both pass by themselves.
async function startServer(options: ServerOptions): Promise<{ host: HostProcess; port: number }> {
  const deadline = Date.now() + 5000;
  for (;;) {
    await stopPostmaster(options.cluster);
    await removeStalePostmasterFile(options.cluster);
    const port = options.port ?? (await findFreePort());
    try {
      return { host: await startHost({ ...options, port }), port };
    } catch (error) {
      const message = (error as Error).message;
      const passing =
        /lock file|shared memory block/.test(message) ||
        (options.port === undefined && /Address already in use/i.test(message));
      if (!passing || Date.now() > deadline) {
        throw new Error(`PostgreSQL did not start on port ${port}:\n${message}`, { cause: error });
      }
      await delay(200);
    }
  }
}

/** Creates a database unless it exists and returns its URL. `adminUrl` is another database of the same server. */
async function createDatabase(adminUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${encodeURIComponent(name)}`;
  return url.href;
}

/** A port of 127.0.0.1 that is free at this moment. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
