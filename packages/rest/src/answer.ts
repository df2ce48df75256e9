import type { ServerResponse } from 'node:http';
import { httpStatusByKind, type AppError } from '@service/errors';
import { errorToBody, type Answer, type RateState } from '@service/surface';
import etag from 'etag';
import type { RequestTarget, Route } from './route-table.ts';

/** Writes one answer: for HEAD without the body, for a GET whose `If-None-Match` names the answer with status 304. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const { status, body } = answer;
  const headers = headersOf(answer);
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

function headersOf({ location, replayed, error }: Answer): Record<string, string> | undefined {
  if (error) return errorToHeaders(error);
  if (location === null && !replayed) return undefined;
  return {
    ...(replayed && { 'Idempotent-Replayed': 'true' }),
    ...(location !== null && { Location: location }),
  };
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

/** An error as an HTTP answer, for routes outside this surface. */
export const errorToAnswer = (error: AppError, context: Parameters<typeof errorToBody>[1]) => ({
  status: httpStatusByKind[error.kind],
  body: errorToBody(error, context),
  headers: errorToHeaders(error),
});

const errorToHeaders = ({ kind, retryAfterSeconds }: AppError): Record<string, string> => ({
  ...(kind === 'unauthenticated' && { 'WWW-Authenticate': 'Bearer' }),
  ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
});

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

/** Sets a `Link` to the next page of a list (RFC 8288). Does nothing for other answers. */
export function setNextPageLink(
  response: ServerResponse,
  { data }: Answer,
  { url, apiUrl }: { url: RequestTarget; apiUrl: string },
): void {
  const cursor = (data as { pagination?: { nextCursor: string | null } } | undefined)?.pagination?.nextCursor;
  if (!cursor) return;
  const query = new URLSearchParams(url.searchParams);
  query.set('cursor', cursor);
  response.appendHeader('Link', `<${apiUrl}${url.pathname}?${query.toString()}>; rel="next"`);
}
