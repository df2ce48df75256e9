import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { httpStatusByKind, type AppError } from '@service/errors';

export interface Answer {
  status: number;
  /** The JSON to send; null for none. */
  body: string | null;
  headers?: Record<string, string>;
}

/** An answer with its body as JSON; undefined is no body. */
export const toAnswer = ({ body, ...rest }: Omit<Answer, 'body'> & { body: unknown }): Answer => ({
  ...rest,
  body: body === undefined ? null : JSON.stringify(body),
});

/** Writes one answer. A HEAD gets the same headers and no body; a GET that has it already gets 304. */
export function sendAnswer(response: ServerResponse, { status, body, headers }: Answer): void {
  if (body === null) {
    response.writeHead(status, headers).end();
    return;
  }
  const { method, headers: asked } = response.req;
  const isRead = status === 200 && (method === 'GET' || method === 'HEAD');
  if (!isRead) {
    writeJson(response, status, body, { 'Cache-Control': 'no-store', ...headers });
    return;
  }
  // Weak, since compression changes the bytes and not what they say (RFC 9110, 8.8.1).
  const etag = `W/"${hash('sha1', body, 'base64url')}"`;
  const cached = { ETag: etag, 'Cache-Control': 'private, no-cache', ...headers };
  if (matches(asked['if-none-match'], etag)) response.writeHead(304, cached).end();
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

/** Whether `If-None-Match` names the tag; weakly compared (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = etag.slice(2);
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === opaque);
}

interface ErrorContext {
  requestId: string;
  docsUrl: string;
}

/** The one error shape. `issues` and `details` only where there are some. */
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

/** The heading of a code on the API reference page, by the anchors that Scalar gives headings of the description. */
const errorDocUrl = (docsUrl: string, code: string): string =>
  `${docsUrl}#api-1/description/${code.replaceAll('_', '-')}`;
