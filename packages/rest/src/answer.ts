import type { ServerResponse } from 'node:http';
import { httpStatusByKind, type AppError } from '@service/errors';

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Writes one answer. A HEAD gets the same headers and no body. */
export function sendAnswer(response: ServerResponse, { status, body, headers }: Answer): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

interface ErrorContext {
  requestId: string;
  docsUrl: string;
}

/** The one error shape. `issues` and `details` only where there are some. */
export function errorToAnswer(error: AppError, { requestId, docsUrl }: ErrorContext): Answer {
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
    ...(error.kind === 'unauthenticated' && { headers: { 'WWW-Authenticate': 'Bearer' } }),
  };
}

/** The heading of a code on the API reference page, by the anchors that Scalar gives headings of the description. */
const errorDocUrl = (docsUrl: string, code: string): string =>
  `${docsUrl}#api-1/description/${code.replaceAll('_', '-')}`;
