import type { Scope } from './principal.ts';

/** What a procedure says about itself, read by the REST adapter, the OpenAPI document and MCP. */
export interface ProcedureMeta {
  /** The scope an API key needs. A procedure with neither a scope nor `anyKey` is for the dashboard only. */
  scope?: Scope;
  /** Any valid key may call it, whatever its scopes. */
  anyKey?: boolean;
  /** The MCP tool, `verb_noun`. */
  tool?: string;
  /** The success status over REST. */
  status?: number;
  /** The success status when nothing had to be done, if it differs. */
  statusWhenThere?: number;
  /** The route, in the form trpc-to-openapi reads. */
  openapi?: {
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
    path: `/${string}`;
    operationId?: string;
    summary: string;
    description?: string;
    tags?: string[];
  };
}

/** A route as modules write it. Without a scope any valid key may call it. */
export interface Route {
  scope?: Scope;
  /** `GET /webinars/{webinarId}`, below /api/v1. */
  rest: `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;
  tool: string;
  summary: string;
  description?: string;
  tag: string;
  status?: number;
  statusWhenThere?: number;
}

export function routeToMeta(route: Route): ProcedureMeta {
  const [method, path] = route.rest.split(' ') as [
    NonNullable<ProcedureMeta['openapi']>['method'],
    `/${string}`,
  ];
  return {
    scope: route.scope,
    anyKey: route.scope === undefined,
    tool: route.tool,
    status: route.status ?? 200,
    statusWhenThere: route.statusWhenThere,
    openapi: {
      method,
      path,
      operationId: route.tool.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      summary: route.summary,
      description: route.description,
      tags: [route.tag],
    },
  };
}
