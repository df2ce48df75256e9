// Every route of an API process, from the tables that the process itself is made of.
import { randomUUID } from 'node:crypto';
import { createDoors, createService, protectedResource } from '@service/composition';
import { createLog } from '@service/log';
import { listRoutes } from '@service/rest';
import { Router } from 'express';
import { testServiceOptions } from '../../support/api.ts';

export interface RouteRequest {
  method: string;
  /** With values for its parameters. */
  path: string;
  /** The credential that it takes. */
  takes: 'key' | 'session' | 'none';
}

/** Values of parameters by their names. Others get an id that nothing has. */
export type Parameters = Readonly<Record<string, string>>;

/** Routes of express that are no table: what `app.ts` mounts by itself, and the handlers of sign-in and of pages. */
const others = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/',
  '/w/any/webinars',
  '/favicon.svg',
  '/color-scheme.js',
  '/assets/none.js',
  '/api/v1/openapi.json',
  '/api/v1/docs',
  '/api/v1/docs/start.js',
  '/api/v1/docs/scalar.js',
  '/api/v1/none',
  '/mcp',
  '/mcp/readonly',
  protectedResource.path,
  '/api/auth/get-session',
  '/api/auth/none',
  '/trpc/none',
  '/.env',
];
const otherPosts = [
  '/mcp',
  '/mcp/readonly',
  protectedResource.path,
  '/api/auth/sign-in/email',
  '/api/auth/sign-up/email',
  '/',
  '/assets/x',
];

export async function listAllRoutes(
  { databaseUrl, origin }: { databaseUrl: string; origin: string },
  parameters: Parameters,
): Promise<RouteRequest[]> {
  const service = await createService({
    ...testServiceOptions(databaseUrl),
    name: 'routes',
    baseUrl: origin,
    rateLimit: { requests: 1, windowSeconds: 60 },
    log: createLog('routes', { level: 'silent' }),
  });
  try {
    const doors = createDoors(service);
    const mounted = Router();
    for (const door of doors) door.mount(mounted as never);
    const table = [
      ...listRoutes(service.router).map(({ method, template }) => ({
        method,
        path: `/api/v1${template}`,
        takes: 'key',
      })),
      ...proceduresOf(service.router).map(([name, type]) => ({
        method: type === 'mutation' ? 'POST' : 'GET',
        path: `/trpc/${name}`,
        takes: 'session',
      })),
      ...routesOf(mounted.stack as Layer[]).map((route) => ({ ...route, takes: 'none' })),
      ...others.map((path) => ({ method: 'GET', path, takes: 'none' })),
      ...otherPosts.map((path) => ({ method: 'POST', path, takes: 'none' })),
      ...(await assetsOf(origin)).map((path) => ({ method: 'GET', path, takes: 'none' })),
    ] as RouteRequest[];
    for (const door of doors) door.close?.();
    return table.map((route) => ({ ...route, path: fillIn(route.path, parameters) }));
  } finally {
    await service.close();
  }
}

function proceduresOf(router: { _def: unknown }): [name: string, type: string][] {
  const { procedures } = router._def as { procedures: Record<string, { _def: { type: string } }> };
  return Object.entries(procedures).map(([name, { _def }]) => [name, _def.type]);
}

/** A part of express's router. A middleware has no route, and a nested router has layers of its own. */
interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  handle?: { stack?: Layer[] };
}

const routesOf = (layers: readonly Layer[]): Pick<RouteRequest, 'method' | 'path'>[] =>
  layers.flatMap(({ route, handle }) =>
    route
      ? Object.keys(route.methods).map((method) => ({
          method: method === '_all' ? 'PUT' : method.toUpperCase(),
          path: route.path,
        }))
      : routesOf(handle?.stack ?? []),
  );

/** The scripts and styles that the page names. */
async function assetsOf(origin: string): Promise<string[]> {
  const page = await (await fetch(origin)).text();
  return [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
}

/** `{webinarId}` and `:join`. */
const fillIn = (path: string, parameters: Parameters): string =>
  path.replace(/\{(\w+)\}|:(\w+)/g, (_all, braced, named) => parameters[braced ?? named] ?? randomUUID());
