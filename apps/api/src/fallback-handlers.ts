import { createId } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import type { Log } from '@service/log';
import { errorToAnswer } from '@service/rest';
import { errorOf, logFailure } from '@service/trpc';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';

interface FallbackHandlers {
  /** Refuses an HTTP/1.1 request without a Host header (RFC 9112, 3.2). */
  refuseWithoutHost: RequestHandler;
  /** For requests without a route. */
  notFound: RequestHandler;
  /** For unexpected errors. express would show the stack. */
  failed: ErrorRequestHandler;
}

/** JSON errors for requests outside the REST surface. */
export function createFallbackHandlers({ docsUrl, log }: { docsUrl: string; log: Log }): FallbackHandlers {
  const send = (response: Response, error: AppError, requestId: string): void => {
    const { status, body, headers } = errorToAnswer(error, { requestId, docsUrl });
    response
      .status(status)
      .set({ ...headers, 'X-Request-Id': requestId })
      .json(body);
  };
  return {
    refuseWithoutHost(request, response, next) {
      if (request.headers.host !== undefined || request.httpVersion === '1.0') return next();
      response.set('Connection', 'close');
      send(response, commonErrors.malformed_request(), createId());
    },
    notFound: (_request, response) => send(response, commonErrors.not_found(), createId()),
    failed(error, _request, response, _next) {
      const requestId = createId();
      const { status } = error as { status?: unknown };
      const isCallersFault = typeof status === 'number' && status >= 400 && status < 500;
      const refusal = isCallersFault ? commonErrors.malformed_request() : errorOf(error);
      logFailure(log, refusal, { message: 'A request failed', requestId });
      if (response.headersSent) response.destroy();
      else send(response, refusal, requestId);
    },
  };
}
