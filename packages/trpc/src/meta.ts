import type { Scope } from '@service/catalogue';
import type { Issue } from '@service/errors';
import type { OpenApiMeta, OpenApiMethod } from 'trpc-to-openapi';

/** The deprecation of a route. Its answers have the headers of RFC 9745 and RFC 8594. */
export interface Deprecation {
  /** The start of the deprecation, ISO 8601. */
  since: string;
  /** The end of the route, ISO 8601. */
  sunset: string;
  /** The path of the replacement, below /api/v1. */
  successor?: `/${string}`;
}

/** The scopes that an input needs beside those of its procedure. The input has not been validated. */
export type ScopesFor = (input: object) => readonly Scope[];

/** The problems of the text of a body that are lost when it is parsed, such as a name that occurs twice. */
export type CheckBodyText = (text: string) => readonly Issue[];

/** The description of a procedure, for its authorization, REST, the API document and MCP. `openapi` is its route. */
export type ProcedureMeta = OpenApiMeta<OwnMeta>;

interface OwnMeta {
  /** The scope an API key needs. A procedure with neither a scope nor `anyKey` is for the dashboard only. */
  scope?: Scope;
  /** Further scopes that the key needs, for a procedure that joins several kinds of records. */
  alsoScopes?: readonly Scope[];
  /** Further scopes for what the input asks. It gets the input before any check, because a missing scope is refused first. */
  scopesFor?: ScopesFor | undefined;
  /** Any valid key may call it. */
  anyKey?: boolean;
  /** Only owners of the workspace may call it. */
  ownerOnly?: boolean;
  /** Members of a suspended workspace may make this write too, because it only removes access. */
  whileSuspended?: boolean;
  /** Changes only what the member has for themselves, such as their sign-in sessions. So it is not in the audit log. */
  isPersonal?: boolean;
  /** Its answer may be some seconds late: a replica may give it. */
  mayBeLate?: boolean | undefined;
  /** The name of the procedure as an MCP tool, `verb_noun`. The catalogue of tools names those that are offered. */
  tool?: string;
  /** The success status over REST. */
  status?: number;
  /** The success status when nothing had to be changed, if it is another one. */
  statusWhenThere?: number;
  deprecation?: Deprecation;
  /** The largest body over REST, in bytes; 1 MB. */
  bodyBytesMax?: number | undefined;
  checkBodyText?: CheckBodyText | undefined;
}

/**
 * A route as a module defines it. Without a scope any valid key may call it. Without a tool it is for REST only, and names its
 * operation itself.
 */
export type Route = RouteFields &
  ({ tool: string; operationId?: undefined } | { tool?: undefined; operationId: string });

interface RouteFields {
  scope?: Scope;
  scopesFor?: ScopesFor;
  /** `GET /webinars/{webinarId}`, below /api/v1. */
  rest: `${OpenApiMethod} /${string}`;
  summary: string;
  description?: string;
  tag: string;
  status?: number;
  statusWhenThere?: number;
  /** Its answer may be some seconds late: a replica may give it. */
  mayBeLate?: boolean;
  deprecation?: Deprecation;
  /** The largest body, in bytes; 1 MB. Larger ones of an account are read one after the other. */
  bodyBytesMax?: number;
  checkBodyText?: CheckBodyText;
}

export function routeToMeta(route: Route): ProcedureMeta {
  const [method, path] = route.rest.split(' ') as [OpenApiMethod, `/${string}`];
  return {
    scope: route.scope,
    scopesFor: route.scopesFor,
    anyKey: route.scope === undefined,
    tool: route.tool,
    status: route.status ?? 200,
    statusWhenThere: route.statusWhenThere,
    deprecation: route.deprecation,
    bodyBytesMax: route.bodyBytesMax,
    checkBodyText: route.checkBodyText,
    mayBeLate: route.mayBeLate,
    openapi: {
      method,
      path,
      operationId: route.operationId ?? camelCase(route.tool),
      summary: route.summary,
      description: route.description,
      tags: [route.tag],
      deprecated: route.deprecation !== undefined,
    },
  };
}

const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
