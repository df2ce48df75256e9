import { protectedResource } from '@service/composition';
import { clockOffsetMs, type Database } from '@service/database';
import { operatorRefusals, type CheckOperator, type Connections } from '@service/lifecycle';
import { createMetricRegistry } from '@service/lifecycle/metrics';
import type { RequestHandler } from 'express';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { keyPaths } from './mcp.ts';

interface Metrics {
  serve: RequestHandler;
  observe: RequestHandler;
}

/** Prometheus metrics of this process and of its answers, by surface and status class. */
export function createMetrics(
  checkOperator: CheckOperator,
  database: Pick<Database, 'usage' | 'callUsage' | 'replica'>,
  connections: Pick<Connections, 'figures'>,
): Metrics {
  const registry = createMetricRegistry();
  const clockOffset: Gauge = new Gauge({
    name: 'clock_offset_seconds',
    help: "How far this process's clock is ahead of the database's; negative when it is behind.",
    registers: [registry],
    collect: () => clockOffset.set(clockOffsetMs() / 1000),
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['surface', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  observeConnections(registry, database);
  const waitingCalls: Gauge = new Gauge({
    name: 'account_calls_waiting',
    help: 'Calls that wait because their account has used more than its share of the process.',
    registers: [registry],
    collect: () => waitingCalls.set(database.callUsage().waiting),
  });
  if (database.replica()) observeReplica(registry, database);
  observeClients(registry, connections);
  return {
    async serve(request, response) {
      const access = checkOperator(request);
      if (access !== 'granted') {
        const { status, headers, message } = operatorRefusals[access];
        response.status(status).set(headers).json({ code: access, message });
        return;
      }
      response.type(registry.contentType).send(await registry.metrics());
    },
    observe(request, response, next) {
      const stop = duration.startTimer({
        surface: surfaceOf(request.path),
        method: methodOf(request.method),
      });
      response.once('finish', () => stop({ status: `${Math.floor(response.statusCode / 100)}xx` }));
      next();
    },
  };
}

/** Shows whether calls wait because all connections are in use. */
function observeConnections(registry: Registry, { usage }: Pick<Database, 'usage'>): void {
  const gauge = (name: string, help: string, figure: 'used' | 'waiting') =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, figures] of Object.entries(usage())) this.set({ pool }, figures[figure]);
      },
    });
  gauge('database_connections_used', 'Connections that calls of accounts use.', 'used');
  gauge('database_connections_waiting', 'Calls of accounts that wait for a connection.', 'waiting');
}

/** Shows how late the replica is, and whether reads go to it. */
function observeReplica(registry: Registry, { replica }: Pick<Database, 'replica'>): void {
  const registers = [registry];
  const lag: Gauge = new Gauge({
    name: 'database_replica_lag_seconds',
    help: 'How far the replica is behind the primary at most. No series until it was reached.',
    registers,
    collect() {
      const { lagMs } = replica()!;
      if (lagMs === undefined) lag.remove();
      else lag.set(lagMs / 1000);
    },
  });
  const used: Gauge = new Gauge({
    name: 'database_replica_used',
    help: '1 while reads that may be late go to the replica, 0 while they go to the primary.',
    registers,
    collect: () => used.set(replica()!.problem ? 0 : 1),
  });
}

/** Shows connections of clients, and those that a limit has ended. Open descriptors are among the usual metrics of a process. */
function observeClients(registry: Registry, { figures }: Pick<Connections, 'figures'>): void {
  const registers = [registry];
  const open: Gauge = new Gauge({
    name: 'http_connections',
    help: 'Open connections of clients.',
    registers,
    collect: () => open.set(figures().open),
  });
  const unsent: Gauge = new Gauge({
    name: 'http_unsent_bytes',
    help: 'Bytes of answers that their clients have not read.',
    registers,
    collect: () => unsent.set(figures().unsentBytes),
  });
  const ended: Counter = new Counter({
    name: 'http_connections_ended_total',
    help: 'Connections that a limit has ended. process, address: too many. stalled, unsent: the client did not read.',
    labelNames: ['reason'],
    registers,
    collect() {
      const counts = { ...figures().refused, ...figures().ended };
      ended.reset();
      for (const [reason, count] of Object.entries(counts)) ended.inc({ reason }, count);
    },
  });
}

// Labels come from callers, so they are mapped to a few known values.
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);
const methodOf = (method: string): string => (knownMethods.has(method) ? method : 'other');

const mcpPaths = new Set<string>([...Object.values(keyPaths), protectedResource.path]);

/** The surface of a path. Paths themselves may contain tokens. */
export function surfaceOf(path: string): string {
  if (path.startsWith('/api/v1')) return 'rest';
  if (mcpPaths.has(path)) return 'mcp';
  // The duration of an event stream is not an answer time.
  if (path.startsWith('/trpc')) return path.endsWith('/accounts.stream') ? 'events' : 'trpc';
  if (path.startsWith('/room/')) return path.endsWith('/events') ? 'events' : 'room';
  if (path.startsWith('/r/')) return 'room';
  return path.startsWith('/api/') ? 'auth' : 'pages';
}
