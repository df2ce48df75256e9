import {
  createDoors,
  protectedResource,
  serviceMigrations,
  type Service,
  type ServiceOptions,
} from '@service/composition';
import { findSchemaProblem, workForRequest, type Database } from '@service/database';
import {
  countBuffered,
  createOperatorCheck,
  createReadinessLog,
  type CheckOperator,
  type ConnectionLimits,
  type Connections,
  type DescriptorWatch,
} from '@service/lifecycle';
import { isTracing, runInSpan, startSpan, type Log } from '@service/log';
import { createRestHandler } from '@service/rest';
import { keyScheme } from '@service/surface';
import compression from 'compression';
import express, { Router, type Express, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { allowOrigins, exposeChallenge, refuseForeignPages } from './cross-origin.ts';
import { createDashboard } from './dashboard.ts';
import { createDocs } from './docs.ts';
import { createListExports } from './list-exports.ts';
import { createMcp, keyPaths } from './mcp.ts';
import { createMetrics, surfaceOf } from './metrics.ts';
import {
  closeUnread,
  createFallbackHandlers,
  delayRefusals,
  lateRefusalsFor,
  type LateRefusals,
} from './refusals.ts';
import { createTrpcHandler } from './trpc-handler.ts';

export interface AppOptions extends Omit<ServiceOptions, 'name'> {
  /** The bearer token of `/metrics`. Undefined: only this machine reads them. */
  metricsToken?: string | undefined;
  trustedProxies: readonly string[];
  /** Origins whose pages may call the REST API from a browser. */
  corsAllowedOrigins: readonly string[];
  /** Refusals to an address that goes on after many of them. */
  lateRefusals?: LateRefusals | undefined;
}

interface AppParts extends AppOptions {
  clients: Pick<Connections, 'figures'>;
  limits: Pick<ConnectionLimits, 'connectionsMax'>;
  descriptors: Pick<DescriptorWatch, 'isNearlyUsedUp'>;
}

interface App {
  handler: Express;
  isTrustedProxy(address: string): boolean;
  /** Ends connections that would keep a stopping server waiting. */
  close(): void;
}

/** All routes of the one port, the most specific first. */
export function createApp(service: Service, options: AppParts): App {
  const { baseUrl, trustedProxies, log } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Paths are case-sensitive: `/API` is not `/api`.
  app.enable('case sensitive routing');
  app.set('trust proxy', [...trustedProxies]);
  const checkOperator = createOperatorCheck(options.metricsToken);
  const metrics = createMetrics(checkOperator, service.database, options.clients);
  const fallback = createFallbackHandlers({ docsUrl: service.docsUrl, log });

  app.use((_request, _response, next) => {
    workForRequest();
    next();
  });
  app.use(delayRefusals(options.lateRefusals ?? lateRefusalsFor(options.limits)));
  app.use(closeUnread());
  app.use(fallback.refuseWithoutHost);
  app.use(warnOfUntrustedProxies(log));
  app.use(createHealth({ ...options, database: service.database, checkOperator }));
  app.get('/metrics', metrics.serve);
  app.use(metrics.observe);
  if (isTracing()) app.use(traceRequests);
  app.use(securityHeaders());

  app.use(['/trpc', '/api/auth', '/api/revenue/export.csv', '/api/export'], refuseForeignPages(baseUrl));
  const doors = [...createDoors(service), createListExports({ service, log })];
  for (const door of doors) door.mount(app);
  // After sign-in, which stays uncompressed: its answers contain secrets beside input of the caller, and the compressed length would reveal them.
  app.use(compress());
  if (options.corsAllowedOrigins.length > 0) {
    app.use(['/api/v1', keyPaths.all], allowOrigins(options.corsAllowedOrigins));
    app.use(protectedResource.path, exposeChallenge);
  }
  app.use('/api/v1', createDocs({ ...options, router: service.router }));
  const chain = {
    router: service.router,
    database: service.database,
    log,
    answers: service.answers,
    record: service.activity.record,
    onWritten: service.onWritten,
    apiUrl: `${baseUrl}/api/v1`,
  };
  app.use('/api/v1', createRestHandler({ ...chain, credentials: keyScheme(service.admitKey) }));
  const mcp = createMcp(service, { baseUrl, chain, corsAllowedOrigins: options.corsAllowedOrigins });
  app.all(keyPaths.all, (request, response) => mcp.keys(request, response));
  app.all(keyPaths.readonly, (request, response) => mcp.readonly(request, response));
  app.all(protectedResource.path, (request, response) => mcp.grants(request, response));
  app.use('/trpc', createTrpcHandler(service, { baseUrl, log }));
  app.use(createDashboard());
  app.use(fallback.notFound);
  app.use(fallback.failed);
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return {
    handler: app,
    isTrustedProxy: (address) => isTrusted(address, 0),
    close: () => doors.forEach((door) => door.close?.()),
  };
}

/** In bytes. Compressing a smaller body costs more than it saves. */
const threshold = 1024;

/** Compresses answers with Brotli or gzip. Streams are not compressed: their events would wait in a buffer. */
function compress(): RequestHandler {
  const handler = compression({ threshold, filter: isWorthIt });
  return (request, response, next) => {
    // Also on uncompressed answers and on 304: a cache must know that there are several variants.
    response.vary('Accept-Encoding');
    handler(request, response, () => {
      if (request.headers['accept-encoding'] !== undefined) countInput(response);
      next();
    });
  };
}

/** The input waits in the compression while the client does not read, and the socket shows only the output. */
function countInput(response: Response): void {
  let isOurs: boolean | undefined;
  for (const method of ['write', 'end'] as const) {
    const send = response[method].bind(response) as (...rest: unknown[]) => never;
    response[method] = (...rest: unknown[]) => {
      const [chunk] = rest;
      const wasEncoded = response.hasHeader('Content-Encoding');
      const sent = send(...rest);
      isOurs ??= !wasEncoded && response.hasHeader('Content-Encoding');
      if (isOurs && (typeof chunk === 'string' || chunk instanceof Uint8Array))
        countBuffered(response, chunk.length);
      return sent;
    };
  }
}

const isWorthIt: compression.CompressionFilter = (request, response) =>
  !String(response.getHeader('Content-Type')).startsWith('text/event-stream') &&
  compression.filter(request, response);

/** Anyone can send the header, so the warning must not fill the log. */
const warningPauseMs = 600_000;

/**
 * Logs a warning, at most every ten minutes, when `X-Forwarded-For` is ignored because it comes from an address outside
 * TRUSTED_PROXIES. If that address is a proxy, all its callers share one address and one limit.
 */
function warnOfUntrustedProxies(log: Log): RequestHandler {
  let quietUntilMs = -Infinity;
  return (request, _response, next) => {
    if (request.headers['x-forwarded-for'] !== undefined && performance.now() >= quietUntilMs) {
      const peer = request.socket.remoteAddress ?? '';
      const isTrusted = request.app.get('trust proxy fn') as (address: string, hop: number) => boolean;
      if (!isTrusted(peer, 0)) {
        quietUntilMs = performance.now() + warningPauseMs;
        log.warn(
          { peer },
          'X-Forwarded-For is ignored because its sender is not a trusted proxy. If it is your proxy, set TRUSTED_PROXIES.',
        );
      }
    }
    next();
  };
}

/** Pages, the docs page included, may only connect to this host. */
const securityHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Mantine and Scalar set style attributes and style elements at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // HSTS is the task of the proxy that terminates TLS.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
  });

interface HealthParts extends Pick<AppParts, 'descriptors' | 'log'> {
  database: Pick<Database, 'pool'>;
  checkOperator: CheckOperator;
}

/** A span for each request, as the child of the caller's. It names no path, because paths of attendees contain their tokens. */
const traceRequests: RequestHandler = (request, response, next) => {
  const span = startSpan(`${request.method} ${surfaceOf(request.path)}`, {
    kind: 'server',
    parent: request.get('traceparent'),
    attributes: { 'http.request.method': request.method },
  });
  if (!span) return next();
  response.once('close', () => {
    const { statusCode } = response;
    span.end({ attributes: { 'http.response.status_code': statusCode }, failed: statusCode >= 500 });
  });
  runInSpan(span, next);
};

/**
 * `/healthz`: the process runs. `/readyz`: the database answers, its schema is one that this version works with, and this process has
 * free descriptors. Both are public; only operators see why a process is not ready, there and in the log.
 */
function createHealth({ database, checkOperator, descriptors, log }: HealthParts): Router {
  const router = Router({ caseSensitive: true });
  const logStatus = createReadinessLog(log);

  const findProblem = async (): Promise<{ status: string; pending?: string[] } | undefined> => {
    if (descriptors.isNearlyUsedUp()) return { status: 'descriptors nearly used up' };
    try {
      return await findSchemaProblem(database.pool, serviceMigrations);
    } catch {
      return { status: 'database unreachable' };
    }
  };

  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (request, response) => {
    const problem = await findProblem();
    logStatus(problem?.status ?? 'ok');
    if (problem === undefined) response.json({ status: 'ok' });
    else response.status(503).json(checkOperator(request) === 'granted' ? problem : { status: 'not ready' });
  });
  return router;
}
