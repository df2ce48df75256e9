import { createRepeater } from '@service/background';
import { createService, type Service } from '@service/composition';
import { clockOffsetMaxMs, clockOffsetMs, readDatabaseTime, type Database } from '@service/database';
import {
  connectionLimitsFor,
  createConnections,
  listenOnHosts,
  readDescriptorLimit,
  serverOptions,
  watchDescriptors,
  type ConnectionLimits,
  type Connections,
  type DescriptorWatchOptions,
  type Listening,
} from '@service/lifecycle';
import type { Log } from '@service/log';
import { addressKey } from '@service/rest';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createApp, type AppOptions } from './app.ts';
import { answerClientErrors } from './refusals.ts';

export { exportedLists } from './list-exports.ts';

export interface ApiOptions extends AppOptions {
  /** 0 picks a free one. */
  port: number;
  /** Addresses or names to listen on; all interfaces by default. */
  hosts?: readonly string[] | undefined;
  /** Limits of connections that differ from the usual, which follow from the limit of descriptors. */
  connectionLimits?: Partial<ConnectionLimits> | undefined;
  descriptorWatch?: Partial<DescriptorWatchOptions> | undefined;
}

export interface RunningApi {
  port: number;
  /** The addresses on which it listens. */
  addresses: readonly string[];
  service: Service;
  /** Resolves when the process cannot continue, because its descriptors are nearly used up. */
  ended: Promise<void>;
  /** Stops accepting, waits for open requests (10 s at most), flushes activity, closes connections. */
  close(): Promise<void>;
}

/** Longest wait for open requests when stopping, in milliseconds. */
const drainMaxMs = 10_000;

export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const service = await createService({ ...options, name: 'api' });
  const limit = readDescriptorLimit();
  const limits = { ...connectionLimitsFor(limit), ...options.connectionLimits };
  const connections = createConnections({
    limits,
    keyOf: addressKey,
    isTrustedProxy: (address) => app.isTrustedProxy(address),
  });
  const descriptors = watchDescriptors({ log: options.log, limit, ...options.descriptorWatch });
  const app = createApp(service, { ...options, clients: connections, descriptors, limits });
  const clockWatch = watchClock({ pool: service.database.pool, log: options.log });
  let listening: Listening;
  try {
    const { hosts = [], port } = options;
    listening = await listenOnHosts({
      createServer: () => {
        const server = createHttpServer(connections, service.docsUrl);
        connections.serve(server, app.handler);
        return server;
      },
      hosts,
      port,
    });
  } catch (error) {
    clockWatch.close();
    connections.close();
    descriptors.close();
    await service.close();
    throw error;
  }
  const { port, addresses, servers } = listening;
  return {
    port,
    addresses,
    service,
    ended: descriptors.ended,
    async close() {
      app.close();
      clockWatch.close();
      descriptors.close();
      await Promise.all(servers.map(closeServer));
      connections.close();
      await service.close();
    },
  };
}

function createHttpServer(connections: Connections, docsUrl: string): Server {
  // The app refuses a missing Host, because Node's own answer has no body.
  const server = createServer({ ...serverOptions, requireHostHeader: false });
  answerClientErrors(server, { docsUrl, responseOf: connections.responseOf });
  // A caller gets 20 s for its headers and a minute for its body. Slower callers would occupy sockets.
  server.headersTimeout = 20_000;
  server.requestTimeout = 60_000;
  return server;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), drainMaxMs);
  await closed;
  clearTimeout(timer);
}

interface ClockWatchOptions {
  pool: Database['pool'];
  log: Pick<Log, 'warn'>;
}

const everyMs = 60_000;

/**
 * Compares the calendar of this process with the database's clock every minute, and warns while they differ by more than 5 s.
 * An API process takes the time of its writes and decisions from the database, so it goes on. The times in the log, and those
 * that another library takes from the calendar (sign-in), are wrong.
 */
function watchClock({ pool, log }: ClockWatchOptions): { close(): void } {
  const compare = (): void => {
    const offsetMs = clockOffsetMs();
    if (Math.abs(offsetMs) <= clockOffsetMaxMs) return;
    const aheadSeconds = Math.round(offsetMs / 1000);
    log.warn({ aheadSeconds }, "This process's clock disagrees with the database's; set it by NTP");
  };
  const repeater = createRepeater({
    everyMs,
    run: async () => readDatabaseTime(pool).then(compare),
    // Requests and `/readyz` report a database that cannot be reached.
    onFailure: () => undefined,
  });
  repeater.start();
  return { close: () => void repeater.stop() };
}
