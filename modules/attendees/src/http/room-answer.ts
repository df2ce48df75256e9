// Answers of the room protocol. The URL contains a credential, so it is never logged.
import type { ServerResponse } from 'node:http';
import { createId } from '@service/database';
import { commonErrors, httpStatusByKind, type AppError } from '@service/errors';
import type { Log } from '@service/log';
import type { Page, Pages } from '@service/pages';
import { errorToAnswer, sendJson } from '@service/rest';
import { errorOf, logFailure } from '@service/trpc';
import type { Request, RequestHandler, Response } from 'express';

export interface RefusalOptions {
  docsUrl: string;
  log: Log;
}

/** Converts a thrown value to an error. Errors of the service are logged with the request id. */
export function toRefusal(thrown: unknown, log: Log): { error: AppError; requestId: string } {
  const error = errorOf(thrown);
  const requestId = createId();
  logFailure(log, error, { message: 'A call to a room failed', requestId });
  return { error, requestId };
}

/** Answers a thrown value in the shape of all errors. */
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

interface PageRefusal extends RefusalOptions, Pick<Page, 'entry'> {
  pages: Pages;
  error: unknown;
}

/** Answers a thrown value with a page for people. Its data has the code, `not_found` for everything that does not exist. */
export async function refuseWithPage(
  request: Request,
  response: Response,
  { entry, pages, error: thrown, log }: PageRefusal,
): Promise<void> {
  const { error, requestId } = toRefusal(thrown, log);
  response.set('X-Request-Id', requestId);
  if (error.retryAfterSeconds !== undefined) response.set('Retry-After', String(error.retryAfterSeconds));
  await pages.send(request, response, {
    entry,
    layout: 'card',
    status: httpStatusByKind[error.kind],
    lang: 'en',
    title: refusalTitles[error.kind] ?? 'This page cannot be shown now',
    data: { refusal: { code: error.kind === 'not_found' ? 'not_found' : error.code } },
  });
}

const refusalTitles: Partial<Record<AppError['kind'], string>> = {
  not_found: 'This page does not exist',
  gone: 'This link is not valid any more',
};

/** Answers 405. */
export const refuseMethod =
  (allowed: string, options: RefusalOptions): RequestHandler =>
  (_request, response: Response) => {
    response.setHeader('Allow', allowed);
    refuse(response, commonErrors.method_not_allowed(), options);
  };
