import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorkerMetrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

interface StatusServerOptions {
  port: number | undefined;
  readiness: Readiness;
  metrics: Pick<WorkerMetrics, 'contentType' | 'render'>;
}

const defaultPort = 3001;

/** Serves `/healthz` (the process lives), `/readyz` (it works) and `/metrics` (Prometheus). */
export async function startStatusServer(
  options: StatusServerOptions,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request.url, response, options).catch(() => response.writeHead(500).end());
  });
  await listen(server, options.port);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  path: string | undefined,
  response: ServerResponse,
  options: StatusServerOptions,
): Promise<void> {
  switch (path) {
    case '/healthz':
      return sendJson(response, 200, { status: 'ok' });
    case '/readyz': {
      const { ready, status, warnings } = await options.readiness();
      const body = warnings.length === 0 ? { status } : { status, warnings };
      return sendJson(response, ready ? 200 : 503, body);
    }
    case '/metrics':
      response
        .writeHead(200, { 'Content-Type': options.metrics.contentType })
        .end(await options.metrics.render());
      return undefined;
    default:
      return sendJson(response, 404, { status: 'not found' });
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** A port that was asked for must be free; the usual one need not be, since several workers may share a machine. */
async function listen(server: Server, port: number | undefined): Promise<void> {
  try {
    server.listen(port ?? defaultPort);
    await once(server, 'listening');
  } catch (error) {
    if (port !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    server.listen(0);
    await once(server, 'listening');
  }
}
