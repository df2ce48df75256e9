import type { ServerResponse } from 'node:http';
import { httpStatusByKind, type AppError } from '@service/errors';
import type { RateState } from '@service/trpc';
import etag from 'etag';
import type { RequestTarget, Route } from './route-table.ts';

export interface Answer {
  status: number;
  /** The JSON text, or null for none. */
  body: string | null;
  headers?: Record<string, string>;
}

/** An answer with its body as JSON text. Undefined: no body. */
export const toAnswer = ({ body, ...rest }: Omit<Answer, 'body'> & { body: unknown }): Answer => ({
  ...rest,
  body: body === undefined ? null : JSON.stringify(body),
});

/** Writes one answer: for HEAD without the body, for a GET whose `If-None-Match` names the answer with status 304. */
export function sendAnswer(response: ServerResponse, { status, body, headers }: Answer): void {
  if (body === null) {
    response.writeHead(status, headers).end();
    return;
  }
  const { method, headers: given } = response.req;
  const isRead = status === 200 && (method === 'GET' || method === 'HEAD');
  if (!isRead) {
    writeJson(response, status, body, { 'Cache-Control': 'no-store', ...headers });
    return;
  }
  const tag = weakEtag(body);
  const cached = { ETag: tag, 'Cache-Control': 'private, no-cache', ...headers };
  if (matches(given['if-none-match'], tag)) response.writeHead(304, cached).end();
  else writeJson(response, status, body, cached);
}

function writeJson(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string>,
): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** The `ETag` of a body. It is weak because compression changes the bytes, but not their meaning (RFC 9110, 8.8.1). */
export const weakEtag = (body: string): string => etag(body, { weak: true });

/** True if `If-None-Match` names the tag, by weak comparison (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, weakTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = weakTag.slice(2);
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === opaque);
}

interface ErrorContext {
  requestId: string;
  docsUrl: string;
}

/** The one shape of errors. `issues` and `details` are left out when there are none. */
export function errorToAnswer(error: AppError, { requestId, docsUrl }: ErrorContext) {
  return {
    status: httpStatusByKind[error.kind],
    body: {
      code: error.code,
      message: error.message,
      ...(error.issues && { issues: error.issues }),
      ...(error.details && { details: error.details }),
      requestId,
      docUrl: errorDocUrl(docsUrl, error.code),
    },
    headers: {
      ...(error.kind === 'unauthenticated' && { 'WWW-Authenticate': 'Bearer' }),
      ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
    },
  };
}

/** The heading of a code on the API reference page. Scalar derives these anchors from the headings of the description. */
const errorDocUrl = (docsUrl: string, code: string): string =>
  `${docsUrl}#api-1/description/${code.replaceAll('_', '-')}`;

/** Sets the headers of the rate limit, which every authenticated answer carries. */
export function setRateHeaders(response: ServerResponse, { limit, remaining, resetsAt }: RateState): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetsAt);
}

/** Sets `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` to the successor (RFC 5829). */
export function setDeprecationHeaders(
  response: ServerResponse,
  { deprecation }: Route,
  apiUrl: string,
): void {
  if (!deprecation) return;
  response.setHeader('Deprecation', `@${Math.floor(Date.parse(deprecation.since) / 1000)}`);
  response.setHeader('Sunset', new Date(deprecation.sunset).toUTCString());
  if (deprecation.successor)
    response.appendHeader('Link', `<${apiUrl}${deprecation.successor}>; rel="successor-version"`);
}

/** Sets a `Link` to the next page of a list (RFC 8288). */
export function setNextPageLink(
  response: ServerResponse,
  { url, apiUrl, cursor }: { url: RequestTarget; apiUrl: string; cursor: string },
): void {
  const query = new URLSearchParams(url.searchParams);
  query.set('cursor', cursor);
  response.appendHeader('Link', `<${apiUrl}${url.pathname}?${query.toString()}>; rel="next"`);
}
