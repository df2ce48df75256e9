import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createService, type Service, type ServiceOptions } from '@service/composition';
import { createApp } from './app.ts';
import { watchClock } from './clock-watch.ts';

export interface ApiOptions extends Omit<ServiceOptions, 'name'> {
  /** 0 picks a free one. */
  port: number;
  trustedProxies: readonly string[];
  /** Origins whose pages may call the REST API from a browser. */
  corsAllowedOrigins: readonly string[];
}

export interface RunningApi {
  port: number;
  service: Service;
  /** Stops accepting, lets what is in flight finish (10 s at most), flushes activity, closes connections. */
  close(): Promise<void>;
}

/** Longest wait for open requests when stopping, in milliseconds. */
const drainMaxMs = 10_000;

export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const service = await createService({ ...options, name: 'api' });
  const app = createApp(service, options);
  const clockWatch = watchClock({ pool: service.database.pool, log: options.log });
  const server = createServer(app.handler);
  // A caller gets 20 s for its headers and a minute for its body; slower ones only hold a socket.
  server.headersTimeout = 20_000;
  server.requestTimeout = 60_000;
  try {
    server.listen(options.port);
    await once(server, 'listening');
  } catch (error) {
    clockWatch.close();
    await service.close();
    throw error;
  }
  return {
    port: (server.address() as AddressInfo).port,
    service,
    async close() {
      app.close();
      clockWatch.close();
      await closeServer(server);
      await service.close();
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), drainMaxMs);
  await closed;
  clearTimeout(timer);
}
