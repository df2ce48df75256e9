import { createDoors, protectedResource, type Service, type ServiceOptions } from '@service/composition';
import { workForRequest } from '@service/database';
import { createRestHandler } from '@service/rest';
import { keyScheme } from '@service/surface';
import express, { type Express } from 'express';
import { compress } from './compress.ts';
import { allowOrigins, exposeChallenge } from './cross-origin.ts';
import { createDashboard } from './dashboard.ts';
import { createDocs } from './docs.ts';
import {
  createOperatorCheck,
  type ConnectionLimits,
  type Connections,
  type DescriptorWatch,
} from '@service/lifecycle';
import { refuseForeignPages } from './foreign-pages.ts';
import { createHealth } from './health.ts';
import { createFallbackHandlers } from './fallback-handlers.ts';
import { delayRefusals, lateRefusalsFor, type LateRefusals } from './late-refusals.ts';
import { createMcp, keyPaths } from './mcp.ts';
import { createMetrics } from './metrics.ts';
import { securityHeaders } from './security-headers.ts';
import { createTrpcHandler } from './trpc-handler.ts';
import { closeUnread } from './unread-body.ts';
import { warnOfUntrustedProxies } from './untrusted-proxy.ts';

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
  app.use(warnOfUntrustedProxies({ log }));
  app.use(createHealth(service.database, checkOperator, options.descriptors));
  app.get('/metrics', metrics.serve);
  app.use(metrics.observe);
  app.use(securityHeaders());

  app.use(['/trpc', '/api/auth', '/api/revenue/export.csv'], refuseForeignPages(baseUrl));
  const doors = createDoors(service);
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
