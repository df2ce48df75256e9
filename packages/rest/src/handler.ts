// REST over the same procedures that the dashboard calls. The request is admitted before a byte of its body is read: a caller
// without a valid key for the operation gets 401 and no other information.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createId } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import { errorOf, logFailure } from '@service/trpc';
import { errorToAnswer, sendAnswer, setDeprecationHeaders, setRateHeaders, toAnswer } from './answer.ts';
import type { Call, RestOptions } from './call.ts';
import { createRouteTable, parseTarget } from './route-table.ts';
import { runRoute } from './run-route.ts';

export type RestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers every request below its mount point. `request.url` does not contain the mount point. Never throws. */
export function createRestHandler(options: RestOptions): RestHandler {
  const match = createRouteTable(options.router);

  return async (request, response) => {
    const requestId = requestIdOf(request);
    response.setHeader('X-Request-Id', requestId);
    try {
      const url = parseTarget(request.url ?? '/');
      await answer(
        { request, response, url, match: match(request.method ?? 'GET', url.pathname), requestId },
        options,
      );
    } catch (error) {
      refuse(response, errorOf(error), { requestId, options });
    }
  };
}

async function answer(call: Call, options: RestOptions): Promise<void> {
  const { request, response, match, requestId } = call;
  const started = performance.now();
  const scope = match.kind === 'route' ? match.route.scope : undefined;
  const admission = await options.admit(request.headers.authorization, scope);
  if (!admission) throw commonErrors.invalid_api_key();
  const { principal, rate } = admission;
  const now = options.now?.() ?? admission.now;
  let replayed = false;
  try {
    setRateHeaders(response, rate);
    if (admission.isSuspended) throw commonErrors.account_suspended();
    if (rate.retryAfterSeconds !== undefined) {
      throw commonErrors.rate_limited({ retryAfterSeconds: rate.retryAfterSeconds });
    }
    if (match.kind === 'unknown') throw commonErrors.not_found();
    if (match.kind === 'wrong_method') {
      response.setHeader('Allow', match.allowed.join(', '));
      throw commonErrors.method_not_allowed();
    }
    setDeprecationHeaders(response, match.route, options.apiUrl);
    const result = await runRoute(call, match, { principal, now, options });
    replayed = result.replayed;
    sendAnswer(response, result.answer);
  } catch (error) {
    refuse(response, errorOf(error), { requestId, options });
  } finally {
    options.onAnswered({
      principal,
      at: now,
      status: response.statusCode,
      method: request.method ?? 'GET',
      path: pathOf(request),
      replayed,
      durationMs: performance.now() - started,
      requestId,
    });
  }
}

function refuse(
  response: ServerResponse,
  error: AppError,
  { requestId, options }: { requestId: string; options: RestOptions },
): void {
  logFailure(options.log, error, { message: 'A request failed', requestId });
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendAnswer(response, toAnswer(errorToAnswer(error, { requestId, docsUrl: `${options.apiUrl}/docs` })));
}

/** The caller's `X-Request-Id` if it is well-formed, else a new id. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : createId();
}

const pathOf = (request: IncomingMessage): string =>
  ((request as { originalUrl?: string }).originalUrl ?? request.url ?? '/').split('?')[0]!;
