import type { IncomingMessage, ServerResponse } from 'node:http';
import { toKeyedRequest, type CallContent, type KeyedRequest } from '@service/surface';
import { setDeprecationHeaders } from './send-answer.ts';
import { readBody } from './read-body.ts';
import { readFields } from './read-fields.ts';
import type { RequestTarget, Route } from './route-table.ts';

/** One request and its response. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: RequestTarget;
  apiUrl: string;
}

/** Reads the query or the body of an admitted request and its idempotency key. */
export function readContent(
  { request, response, url, apiUrl }: Exchange,
  route: Route,
): CallContent | Promise<CallContent> {
  // Answers to callers who may not call the route do not show its deprecation.
  setDeprecationHeaders(response, route, apiUrl);
  const inputOf = (body: Record<string, unknown>) => () => readFields(route, url.searchParams, body);
  if (route.type === 'query') return { keyed: undefined, input: inputOf({}) };
  return readBody(request).then((body) => ({
    keyed: keyedRequestOf(request, url, body),
    ifMatch: request.headers['if-match'],
    scopes: route.scopesFor?.(body),
    input: inputOf(body),
  }));
}

/** The idempotency key of a write with the fingerprint of its request; undefined without a key. Throws malformed_idempotency_key. */
export function keyedRequestOf(
  { headers, method }: IncomingMessage,
  { pathname, searchParams }: RequestTarget,
  body: Record<string, unknown>,
): KeyedRequest | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  const query = [...searchParams].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const ifMatch = headers['if-match'];
  // A request without If-Match has the fingerprint that it had before the header existed.
  const target = [method, pathname, query, ...(ifMatch === undefined ? [] : [ifMatch])];
  return toKeyedRequest(String(key), target, body);
}
