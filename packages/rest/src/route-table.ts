// Routes of the procedures' meta, compiled once. A static segment is found by its text before a parameter is tried.
import { clientProcedures, type DescribedProcedure, type Procedure } from '@service/surface';
import type { AnyServiceRouter, CheckBodyText, Deprecation, ProcedureMeta } from '@service/trpc';
import { z } from 'zod';

type OpenApi = NonNullable<ProcedureMeta['openapi']>;

export interface Route extends Procedure {
  method: string;
  /** `/webinars/{webinarId}` */
  template: string;
  statusWhenThere: number | undefined;
  deprecation: Deprecation | undefined;
  /** The largest body, in bytes, if it may have more than a megabyte. */
  bodyBytesMax: number | undefined;
  checkBodyText: CheckBodyText | undefined;
  input: z.ZodObject;
  output: z.ZodType;
  pathParameters: readonly string[];
  /** Answers one record that people edit. Its ETag has the version of the record (`packages/trpc/src/version.ts`). */
  isRecord: boolean;
  /** The name and the texts in the API document. */
  operation: Pick<OpenApi, 'operationId' | 'summary' | 'description' | 'tags'>;
}

export interface MatchedRoute {
  kind: 'route';
  route: Route;
  /** The path as the API reference writes it, with the parameters of this request. */
  path: string;
  /** The parameters of this request, in the order of the path. */
  pathValues: readonly string[];
}

export type RouteMatch =
  | MatchedRoute
  | { kind: 'method_not_allowed'; allowed: readonly string[] }
  | { kind: 'not_found' };

interface Node {
  children: Map<string, Node>;
  parameter?: Node;
  routes: Map<string, Route>;
}

/** The procedures with a REST route. Throws at start when two have the same route or a parameter is not in the input. */
export function listRoutes(router: AnyServiceRouter): Route[] {
  const routes = clientProcedures(router).flatMap((described) =>
    described.meta.openapi ? [toRoute(described, described.meta.openapi)] : [],
  );
  const seen = new Set<string>();
  for (const { method, template } of routes) {
    if (seen.has(`${method} ${template}`))
      throw new Error(`Two procedures have the route ${method} ${template}`);
    seen.add(`${method} ${template}`);
  }
  return markRecords(routes);
}

export function createRouteTable(router: AnyServiceRouter): (method: string, path: string) => RouteMatch {
  const root = createNode();
  for (const route of listRoutes(router)) insert(root, route);
  return (method, path) => {
    const found = find(root, path.split('/').slice(1));
    if (!found) return { kind: 'not_found' };
    const route = found.node.routes.get(method === 'HEAD' ? 'GET' : method);
    if (!route) return { kind: 'method_not_allowed', allowed: allowedMethods(found.node) };
    const pathValues = found.values;
    const values = pathValues.map(encodeURIComponent);
    const written = route.template.replaceAll(/\{\w+\}/g, () => values.shift()!);
    return { kind: 'route', route, path: written, pathValues };
  };
}

function toRoute(
  { meta, input: schema, ...procedure }: DescribedProcedure,
  { method, path, ...operation }: OpenApi,
): Route {
  const input = schema ?? z.strictObject({});
  if (!(input instanceof z.ZodObject))
    throw new Error(`${procedure.procedure}: the input of a REST route must be one object`);
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
  const missing = pathParameters.find((name) => !(name in input.shape));
  if (missing) throw new Error(`${procedure.procedure}: ${missing} is in the path but not in the input`);
  return {
    ...procedure,
    method,
    template: path,
    statusWhenThere: meta.statusWhenThere,
    deprecation: meta.deprecation,
    bodyBytesMax: meta.bodyBytesMax,
    checkBodyText: meta.checkBodyText,
    input,
    pathParameters,
    isRecord: false,
    operation,
  };
}

/** True for a change of a record, which reads `If-Match`. */
export const isEdit = ({ method }: Pick<Route, 'method'>): boolean => method === 'PATCH';

/** Marks the routes that answer a record with a PATCH route, and those that create one. */
function markRecords(routes: readonly Route[]): Route[] {
  const edits = routes.filter(isEdit);
  const editable = new Set(edits.map(({ template }) => template));
  // The answer of a change may say more than the record.
  const isOfRecord = ({ method, template }: Route): boolean => method !== 'DELETE' && editable.has(template);
  const records = new Set(routes.filter(isOfRecord).map(recordOf));
  const collections = new Set([...editable].map((template) => template.replace(/\/\{\w+\}$/, '')));
  return routes.map((route) => {
    const creates = route.method === 'POST' && collections.has(route.template);
    return { ...route, isRecord: creates || records.has(recordOf(route)) };
  });
}

/** The schema of the object in `{"data": {...}}`. A procedure without such an answer has none, and stands for itself. */
const recordOf = ({ output }: Route): z.ZodType =>
  output instanceof z.ZodObject && output.shape['data'] instanceof z.ZodType ? output.shape['data'] : output;

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
      // trpc-to-openapi would resolve a dot segment, and would take a word of a path in other letters for this word. Neither is an id.
      const isNoId = ['.', '..'].includes(value) || node.children.has(value.toLowerCase());
      values.push(isNoId ? '-' : value);
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
