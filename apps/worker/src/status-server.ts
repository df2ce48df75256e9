import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  connectionLimitsFor,
  createConnections,
  listenOnHosts,
  operatorRefusals,
  readDescriptorLimit,
  serverOptions,
  type CheckOperator,
  type Connections,
  type Listening,
} from '@service/lifecycle';
import type { WorkerMetrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

interface StatusServerOptions {
  port: number | undefined;
  hosts: readonly string[];
  checkOperator: CheckOperator;
  readiness: Readiness;
  metrics: Pick<WorkerMetrics, 'contentType' | 'render'>;
}

const defaultPort = 3001;

/**
 * Serves `/healthz` (the process lives), `/readyz` (it works) and `/metrics` (Prometheus). The first two answer everyone;
 * only operators read the metrics and the reason why a worker is not ready.
 */
export async function startStatusServer(
  options: StatusServerOptions,
): Promise<Omit<Listening, 'servers'> & { close(): Promise<void> }> {
  const connections = createConnections({ limits: connectionLimitsFor(readDescriptorLimit()) });
  const { port, addresses, servers } = await listen(options, connections);
  return {
    port,
    addresses,
    async close() {
      connections.close();
      await Promise.all(
        servers.map(async (server) => {
          const closed = once(server, 'close');
          server.close();
          server.closeAllConnections();
          await closed;
        }),
      );
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: StatusServerOptions,
): Promise<void> {
  const access = options.checkOperator(request);
  switch (request.url ?? '') {
    case '/healthz':
      return sendJson(response, 200, { status: 'ok' });
    case '/readyz': {
      const { ready, status, warnings } = await options.readiness();
      const isShown = access === 'granted';
      const shown = ready || isShown ? status : 'not ready';
      const body = isShown && warnings.length > 0 ? { status: shown, warnings } : { status: shown };
      return sendJson(response, ready ? 200 : 503, body);
    }
    case '/metrics':
      if (access !== 'granted') {
        const { status, headers, message } = operatorRefusals[access];
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        return sendJson(response, status, { code: access, message });
      }
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

/** A configured port must be free. The default port need not be, since several workers may share a machine. */
async function listen(options: StatusServerOptions, connections: Connections): Promise<Listening> {
  const { hosts, port } = options;
  const create = () => {
    const server = createServer(serverOptions);
    connections.serve(server, (request, response) => {
      answer(request, response, options).catch(() => response.writeHead(500).end());
    });
    return server;
  };
  try {
    return await listenOnHosts({ createServer: create, hosts, port: port ?? defaultPort });
  } catch (error) {
    if (port !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return await listenOnHosts({ createServer: create, hosts, port: 0 });
  }
}
