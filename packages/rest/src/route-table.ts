// Routes of the procedures' meta, compiled once. A static segment is found by its text before a parameter is tried.
import type { AnyServiceRouter, Deprecation, ProcedureMeta, Scope } from '@service/trpc';
import { z } from 'zod';

export interface Route {
  method: string;
  /** `/webinars/{webinarId}` */
  template: string;
  /** Its name in the router, such as `webinars.get`. */
  procedure: string;
  type: 'query' | 'mutation';
  /** Undefined when any valid key is enough. */
  scope: Scope | undefined;
  status: number;
  statusWhenThere: number | undefined;
  deprecation: Deprecation | undefined;
  input: z.ZodObject;
  pathParameters: readonly string[];
}

export type RouteMatch =
  | { kind: 'route'; route: Route; parameters: Record<string, string> }
  | { kind: 'wrong_method'; allowed: readonly string[] }
  | { kind: 'unknown' };

interface Node {
  children: Map<string, Node>;
  parameter?: Node;
  routes: Map<string, Route>;
}

interface ProcedureDefinition {
  type: 'query' | 'mutation';
  inputs: z.ZodType[];
  meta?: ProcedureMeta;
}

/** The procedures with a REST route. Throws at start when two have the same route or a parameter is not in the input. */
export function listRoutes(router: AnyServiceRouter): Route[] {
  const routes = Object.entries(
    router._def.procedures as Record<string, { _def: ProcedureDefinition }>,
  ).flatMap(([procedure, { _def }]) => (_def.meta?.openapi ? [toRoute(procedure, _def)] : []));
  const seen = new Set<string>();
  for (const { method, template } of routes) {
    if (seen.has(`${method} ${template}`))
      throw new Error(`Two procedures have the route ${method} ${template}`);
    seen.add(`${method} ${template}`);
  }
  return routes;
}

export function createRouteTable(router: AnyServiceRouter): (method: string, path: string) => RouteMatch {
  const root = createNode();
  for (const route of listRoutes(router)) insert(root, route);
  return (method, path) => {
    const found = find(root, path.split('/').slice(1));
    if (!found) return { kind: 'unknown' };
    const route = found.node.routes.get(method === 'HEAD' ? 'GET' : method);
    if (!route) return { kind: 'wrong_method', allowed: allowedMethods(found.node) };
    const parameters = Object.fromEntries(
      route.pathParameters.map((name, index) => [name, found.values[index]!]),
    );
    return { kind: 'route', route, parameters };
  };
}

function toRoute(procedure: string, { meta, type, inputs }: ProcedureDefinition): Route {
  const { method, path } = meta!.openapi!;
  const input = inputs[0] ?? z.strictObject({});
  if (!(input instanceof z.ZodObject))
    throw new Error(`${procedure}: the input of a REST route must be one object`);
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const missing = pathParameters.find((name) => !(name in input.shape));
  if (missing) throw new Error(`${procedure}: ${missing} is in the path but not in the input`);
  return {
    method,
    template: path,
    procedure,
    type,
    scope: meta!.scope,
    status: meta!.status ?? 200,
    statusWhenThere: meta!.statusWhenThere,
    deprecation: meta!.deprecation,
    input,
    pathParameters,
  };
}

const createNode = (): Node => ({ children: new Map(), routes: new Map() });

function insert(root: Node, route: Route): void {
  let node = root;
  for (const segment of route.template.split('/').slice(1)) {
    if (segment.startsWith('{')) {
      node = node.parameter ??= createNode();
    } else {
      const child = node.children.get(segment) ?? createNode();
      node.children.set(segment, child);
      node = child;
    }
  }
  node.routes.set(route.method, route);
}

function find(root: Node, segments: readonly string[]): { node: Node; values: string[] } | undefined {
  let node = root;
  const values: string[] = [];
  for (const segment of segments) {
    const child = node.children.get(segment);
    if (child) {
      node = child;
    } else {
      const value = decodeSegment(segment);
      if (!node.parameter || value === undefined) return undefined;
      values.push(value);
      node = node.parameter;
    }
  }
  return node.routes.size > 0 ? { node, values } : undefined;
}

/** Undefined for an empty segment and for a broken escape: no resource has such a name. */
function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment) || undefined;
  } catch {
    return undefined;
  }
}

const allowedMethods = (node: Node): string[] =>
  [...node.routes.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

/** Path and query of a request, unchanged. */
export interface RequestTarget {
  pathname: string;
  searchParams: URLSearchParams;
}

/**
 * Reads a request target (RFC 9112, 3.2). `new URL` is not used, because it resolves dot segments and backslashes: each path has
 * only the spelling of the API reference.
 */
export function parseTarget(target: string): RequestTarget {
  const local = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  const queryAt = local.indexOf('?');
  const pathname = queryAt === -1 ? local : local.slice(0, queryAt);
  return {
    pathname: pathname === '' ? '/' : pathname,
    searchParams: new URLSearchParams(queryAt === -1 ? '' : local.slice(queryAt + 1)),
  };
}
