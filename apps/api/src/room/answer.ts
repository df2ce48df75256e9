// Answers of the room protocol. What was asked for is in the address, which holds a credential: it is never logged.
import type { ServerResponse } from 'node:http';
import { createId } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import type { Log } from '@service/log';
import { errorToAnswer } from '@service/rest';
import { errorOf, logFailure } from '@service/trpc';
import type { RequestHandler, Response } from 'express';

export interface RefusalOptions {
  docsUrl: string;
  log: Log;
}

/** JSON, or nothing for undefined. */
export function sendJson(response: ServerResponse, status: number, body?: unknown): void {
  const text = body === undefined ? undefined : JSON.stringify(body);
  response.writeHead(status, {
    'Cache-Control': 'no-store',
    ...(text !== undefined && {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    }),
  });
  response.end(text);
}

/** The error behind whatever was thrown; what is not the caller's doing is logged under the id that comes with it. */
export function toRefusal(thrown: unknown, log: Log): { error: AppError; requestId: string } {
  const error = errorOf(thrown);
  const requestId = createId();
  logFailure(log, error, { message: 'A call to a room failed', requestId });
  return { error, requestId };
}

/** Answers whatever was thrown in the one shape of errors. */
export function refuse(response: ServerResponse, thrown: unknown, { docsUrl, log }: RefusalOptions): void {
  const { error, requestId } = toRefusal(thrown, log);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, body, headers } = errorToAnswer(error, { requestId, docsUrl });
  response.setHeader('X-Request-Id', requestId);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, body);
}

/** For methods that a path does not take. */
export const refuseMethod =
  (allowed: string, options: RefusalOptions): RequestHandler =>
  (_request, response: Response) => {
    response.setHeader('Allow', allowed);
    refuse(response, commonErrors.method_not_allowed(), options);
  };
