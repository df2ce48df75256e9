import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { httpStatusByKind, type AppError } from '@service/errors';
import { attributeAnswer } from '@service/lifecycle';
import { errorToBody, type Answer, type RateState } from '@service/surface';
import { versionOf } from '@service/trpc/version';
import etag from 'etag';
import type { RequestTarget, Route } from './route-table.ts';

/** Writes one answer: for HEAD without the body, for a GET whose `If-None-Match` names the answer with status 304. */
export function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  { isRecord }: Pick<Route, 'isRecord'>,
): void {
  const { status, body } = answer;
  const headers = headersOf(answer);
  if (body === null) {
    response.writeHead(status, headers).end();
    return;
  }
  const { method, headers: given } = response.req;
  const isRead = status === 200 && (method === 'GET' || method === 'HEAD');
  if (!isRead) {
    const hasTag = isRecord && [200, 201, 412].includes(status);
    const tag = hasTag ? { ETag: recordEtag(body, recordOf(answer)) } : undefined;
    sendJson(response, status, body, { ...tag, ...headers });
    return;
  }
  const tag = isRecord ? recordEtag(body, recordOf(answer)) : weakEtag(body);
  const cached = { ETag: tag, 'Cache-Control': 'private, no-cache', ...headers };
  if (matches(given['if-none-match'], tag)) response.writeHead(304, cached).end();
  else sendJson(response, status, body, cached);
}

function headersOf({ location, replayed, error }: Answer): Record<string, string> | undefined {
  if (error) return errorToHeaders(error);
  if (location === null && !replayed) return undefined;
  return {
    ...(replayed && { 'Idempotent-Replayed': 'true' }),
    ...(location !== null && { Location: location }),
  };
}

/** Sends a value as JSON, or a text that is JSON; no body for undefined and for HEAD. The answer is not stored, unless the headers say otherwise. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers?: OutgoingHttpHeaders,
): void {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) as string | undefined);
  response.writeHead(status, {
    'Cache-Control': 'no-store',
    ...(text !== undefined && {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    }),
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

/** The `ETag` of a body. It is weak because compression changes the bytes, but not their meaning (RFC 9110, 8.8.1). */
export const weakEtag = (body: string): string => etag(body, { weak: true });

/**
 * The strong `ETag` of an answer with one record: the version of the record, which `If-Match` is compared with, a dot, and a hash
 * of the answer. The answer also changes without an edit, for example with the health of an endpoint.
 */
const recordEtag = (body: string, record: object): string =>
  `"${versionOf(record)}.${etag(body).slice(1, -1)}"`;

/** The record of an answer, also of a kept one and of precondition_failed. */
function recordOf({ data, error, body }: Answer): object {
  if (error?.data) return error.data;
  return ((data ?? JSON.parse(body!)) as { data: object }).data;
}

/** True if `If-None-Match` names the tag, by weak comparison (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, current: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = current.replace(/^W\//, '');
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

const errorToHeaders = ({ kind, challenge, retryAfterSeconds }: AppError): Record<string, string> => ({
  ...(kind === 'unauthenticated' && { 'WWW-Authenticate': 'Bearer' }),
  ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
  ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
});

/** Sets the headers of the rate limit, which every authenticated answer carries. Its unsent bytes count for the account. */
export function setRateHeaders(response: ServerResponse, rate: RateState): void {
  const { accountId, limit, remaining, resetsAt } = rate;
  if (accountId !== undefined) attributeAnswer(response, accountId);
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
