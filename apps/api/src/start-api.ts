import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createService, type Service } from '@service/composition';
import { listenOnHosts, type Listening } from '@service/lifecycle';
import { createApp, type AppOptions } from './app.ts';
import { answerClientErrors } from './client-error.ts';
import { watchClock } from './clock-watch.ts';

export interface ApiOptions extends AppOptions {
  /** 0 picks a free one. */
  port: number;
  /** Addresses or names to listen on; all interfaces by default. */
  hosts?: readonly string[] | undefined;
}

export interface RunningApi {
  port: number;
  /** The addresses on which it listens. */
  addresses: readonly string[];
  service: Service;
  /** Stops accepting, waits for open requests (10 s at most), flushes activity, closes connections. */
  close(): Promise<void>;
}

/** Longest wait for open requests when stopping, in milliseconds. */
const drainMaxMs = 10_000;

export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const service = await createService({ ...options, name: 'api' });
  const app = createApp(service, options);
  const clockWatch = watchClock({ pool: service.database.pool, log: options.log });
  let listening: Listening;
  try {
    const { hosts = [], port } = options;
    listening = await listenOnHosts({
      createServer: () => createHttpServer(app.handler, service.docsUrl),
      hosts,
      port,
    });
  } catch (error) {
    clockWatch.close();
    await service.close();
    throw error;
  }
  const { port, addresses, servers } = listening;
  return {
    port,
    addresses,
    service,
    async close() {
      app.close();
      clockWatch.close();
      await Promise.all(servers.map(closeServer));
      await service.close();
    },
  };
}

function createHttpServer(handler: RequestListener, docsUrl: string): Server {
  // The app refuses a missing Host, because Node's own answer has no body.
  const server = createServer({ requireHostHeader: false }, handler);
  answerClientErrors(server, { docsUrl });
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
