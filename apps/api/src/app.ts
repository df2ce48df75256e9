import type { Service } from '@service/composition';
import { createRestHandler } from '@service/rest';
import express, { type Express } from 'express';
import { compress } from './compress.ts';
import { allowOrigins } from './cross-origin.ts';
import { createDashboard } from './dashboard.ts';
import { createDocs } from './docs.ts';
import { createOperatorCheck } from '@service/lifecycle';
import { createHealth } from './health.ts';
import { createLastResort } from './last-resort.ts';
import { createMetrics } from './metrics.ts';
import { createRoomApi } from './room/room-api.ts';
import { securityHeaders } from './security-headers.ts';
import type { ApiOptions } from './start-api.ts';
import { createTrpcHandler } from './trpc-handler.ts';
import { closeUnread } from './unread-body.ts';
import { warnOfUntrustedProxies } from './untrusted-proxy.ts';

interface App {
  handler: Express;
  /** Ends what would keep a server that stops waiting. */
  close(): void;
}

/** Everything that is served on the one port, most specific first. */
export function createApp(service: Service, options: ApiOptions): App {
  const { baseUrl, trustedProxies, log, now } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // `/API` is another path than `/api`.
  app.enable('case sensitive routing');
  app.set('trust proxy', [...trustedProxies]);
  const checkOperator = createOperatorCheck(options.metricsToken);
  const metrics = createMetrics(checkOperator, service.database);
  const docsUrl = `${baseUrl}/api/v1/docs`;
  const lastResort = createLastResort({ docsUrl, log });

  app.use(closeUnread());
  app.use(lastResort.refuseWithoutHost);
  app.use(warnOfUntrustedProxies({ log }));
  app.use(createHealth(service.database, checkOperator));
  app.get('/metrics', metrics.serve);
  app.use(metrics.observe);
  app.use(securityHeaders());

  const { room, feed } = service;
  const roomApi = createRoomApi({ room, feed, docsUrl, log, now });
  app.use(roomApi.router);
  app.use('/api/auth', service.accounts.handler);
  app.get('/api/session', service.accounts.sessionHandler);
  // Not before sign-in: its answers hold secrets beside what the caller sent, and their length would tell about them.
  app.use(compress());
  if (options.corsAllowedOrigins.length > 0) app.use('/api/v1', allowOrigins(options.corsAllowedOrigins));
  app.use('/api/v1', createDocs({ ...options, router: service.router }));
  app.use(
    '/api/v1',
    createRestHandler({
      router: service.router,
      database: service.database,
      log,
      admit: (authorization, scope) => service.admitKey({ authorization, scope, surface: 'rest' }),
      answers: service.answers,
      onAnswered: (call) => service.activity.record(call),
      apiUrl: `${baseUrl}/api/v1`,
    }),
  );
  app.use('/trpc', createTrpcHandler(service, { baseUrl, log }));
  app.use(createDashboard());
  app.use(lastResort.notFound);
  app.use(lastResort.failed);
  return { handler: app, close: () => roomApi.close() };
}
