// REST over the same procedures that the dashboard calls. This surface reads a call from a request and writes its answer; the
// chain of `packages/surface` does everything between.
import { createConnectionGate, createId } from '@service/database';
import type { Issue } from '@service/errors';
import {
  createChain,
  hidesCaller,
  toKeyedRequest,
  type Answer,
  type CallContent,
  type CallSender,
  type ChainOptions,
  type RateState,
} from '@service/surface';
import type { KeyedRequest } from '@service/trpc';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './read-body.ts';
import { readFields } from './read-fields.ts';
import {
  createRouteTable,
  parseTarget,
  type MatchedRoute,
  type RouteMatch,
  type RequestTarget,
} from './route-table.ts';
import { sendAnswer, setNextPageLink, setRateHeaders, setDeprecationHeaders } from './send-answer.ts';
import { createTranslate } from './translate.ts';

export type RestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers every request below its mount point. `request.url` does not contain the mount point. */
export function createRestHandler(options: ChainOptions): RestHandler {
  const findRoute = createRouteTable(options.router);
  const translate = createTranslate(options.router);
  const answerCall = createChain('rest', options);
  const largeBodies = createConnectionGate(largeBodyLimits);

  return async (request, response) => {
    const requestId = requestIdOf(request);
    response.setHeader('X-Request-Id', requestId);
    const url = parseTarget(request.url ?? '/');
    const method = request.method ?? 'GET';
    const match = findRoute(method, url.pathname);
    const exchange = { request, response, url, apiUrl: options.apiUrl };
    let leave = (): void => undefined;
    const answered = answerCall({
      authorization: request.headers.authorization,
      requestId,
      target:
        match.kind === 'route'
          ? {
              procedure: match.route,
              read: ({ principal }) =>
                readContent(exchange, match, async () => {
                  leave = await largeBodies.enter(principal.accountId);
                }),
              call: (context, fields) =>
                translate({ ...match, context, fields: fields as Record<string, unknown> }),
            }
          : match.kind,
      method,
      path: pathOf(request),
      sender: senderOf(request),
      write: (answer, rate) => writeAnswer(exchange, { answer, rate, match }),
    });
    await answered.finally(() => leave());
  };
}

/** A process has one body of more than a megabyte of each account in memory, until its call is answered. Others wait and are not read. */
const largeBodyLimits = { places: Infinity, accountMax: 1, waitMaxMs: 5000, waitingMax: 4 };

function writeAnswer(
  { response, url, apiUrl }: Exchange,
  { answer, rate, match }: { answer: Answer; rate: RateState | undefined; match: RouteMatch },
): number {
  if (rate && !hidesCaller(answer)) setRateHeaders(response, rate);
  if (match.kind === 'method_not_allowed' && answer.status === 405)
    response.setHeader('Allow', match.allowed.join(', '));
  setNextPageLink(response, answer, { url, apiUrl });
  sendAnswer(response, answer, { isRecord: match.kind === 'route' && match.route.isRecord });
  return response.statusCode;
}

const pathOf = (request: IncomingMessage): string =>
  ((request as { originalUrl?: string }).originalUrl ?? request.url ?? '/').split('?')[0]!;

/** One request and its response. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: RequestTarget;
  apiUrl: string;
}

/** Reads the query or the body of an admitted request and its idempotency key. */
function readContent(
  { request, response, url, apiUrl }: Exchange,
  match: MatchedRoute,
  awaitPlace: () => Promise<void>,
): CallContent | Promise<CallContent> {
  const { route } = match;
  // Answers to callers who may not call the route do not show its deprecation.
  setDeprecationHeaders(response, route, apiUrl);
  const issues: Issue[] = [];
  const inputOf = (body: Record<string, unknown>) => () =>
    readFields(match, { query: url.searchParams, body, issues });
  if (route.type === 'query') {
    const scopes = route.scopesFor?.(Object.fromEntries(url.searchParams));
    return { keyed: undefined, scopes, input: inputOf({}) };
  }
  const { bodyBytesMax: bytesMax, checkBodyText: checkText } = route;
  return readBody(request, { bytesMax, checkText, awaitPlace, issues }).then((body) => ({
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

/** The caller's `X-Request-Id` if it is well-formed, else a new id. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : createId();
}

/** Facts about the sender of a request. `ip` is express's, which reads the headers of trusted proxies. */
export const senderOf = (request: IncomingMessage): CallSender => ({
  userAgent: request.headers['user-agent'],
  address: (request as { ip?: string }).ip ?? request.socket.remoteAddress,
  idempotencyKey: request.headers['idempotency-key']?.toString(),
});
