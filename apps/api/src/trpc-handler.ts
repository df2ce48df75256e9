import type { Service } from '@service/composition';
import { createId, currentPayer, workFor, workForCaller } from '@service/database';
import { commonErrors, httpStatusByKind, type AppError } from '@service/errors';
import type { Log } from '@service/log';
import { attributeAnswer } from '@service/lifecycle';
import { errorToAnswer, mayBeLonger, readBytes, requireShallow, setRateHeaders } from '@service/rest';
import { admissionMaxAgeMs, toRequestContext } from '@service/surface';
import { errorOf, logFailure, refusalText } from '@service/trpc';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { parseConnectionParamsFromString } from '@trpc/server/http';
import { Router, type Request, type RequestHandler, type Response } from 'express';

/** Largest request body, in bytes. */
const bodyMax = 1024 * 1024;

/** Calls in one batch. A larger batch is refused as a whole; the dashboard's client splits its own. */
const batchMax = 20;

/** The subscription of the dashboard's pages. */
const streamPath = '/accounts.stream';

/** Calls of the dashboard. The principal is a signed-in member, in the workspace of the `x-workspace` header. */
export function createTrpcHandler(service: Service, { baseUrl, log }: { baseUrl: string; log: Log }): Router {
  const router = Router();
  router.use(nameRequest);
  router.use(refuseOtherMethods(`${baseUrl}/api/v1/docs`));
  router.use(refuseLargeBatch);
  const admissions = new WeakMap<Request, ReturnType<Service['accounts']['admitMember']>>();
  /** Admits calls before tRPC reads them, because tRPC makes an error with a stack for each call of a refused batch. */
  router.use(async (request, response, next) => {
    if (request.method === 'HEAD') return next();
    const { headers, path } = request;
    const workspaceId = workspaceOf(request);
    const admission =
      path === streamPath
        ? service.accounts.admitStream(headers, workspaceId)
        : service.accounts.admitMember(headers, workspaceId, countCalls(path));
    admissions.set(request, admission);
    const caller = currentPayer();
    const { rate, principal } = await admission.catch(() => notAdmitted);
    if (principal) {
      const account = service.database.ofAccount(principal.accountId);
      workForCaller(account, caller);
      attributeAnswer(response, principal.accountId);
    }
    if (rate) setRateHeaders(response, rate);
    const { retryAfterSeconds } = rate ?? {};
    if (retryAfterSeconds !== undefined)
      return refuse(response, commonErrors.too_many_calls({ retryAfterSeconds }));
    // The body of a caller who has not signed in is not read.
    if (!principal || request.method !== 'POST') return next();
    // tRPC would read forms and files too, at once and on this thread. No procedure takes any.
    if (mayBeLonger(request, 0) && !/^application\/json\b/i.test(request.get('content-type') ?? ''))
      return refuse(response, commonErrors.unsupported_media_type());
    const admittedMs = performance.now();
    if (!(await readShallowBody(request, response))) return;
    // While the body came slowly, the session may have ended or the member been removed.
    if (performance.now() - admittedMs > admissionMaxAgeMs)
      admissions.set(request, service.accounts.admitMember(headers, workspaceId, 0));
    next();
  });
  router.use(
    createExpressMiddleware({
      router: service.router,
      maxBodySize: bodyMax,
      async createContext({ req, res, info }) {
        const admission = await admissions.get(req)!;
        const { database, onWritten, recordChange } = service;
        const context = {
          ...toRequestContext(admission, { database, log, onWritten }, requestIdOf(res)),
          recordChange,
          connection: { headers: req.headers, drop: () => void res.destroy() },
        };
        // A header belongs to the whole request, so an edit with If-Match is never sent in a batch.
        return info.isBatchCall ? context : { ...context, ifMatch: req.get('if-match') };
      },
      responseMeta: ({ errors, type }) => ({
        headers: headersOf(
          errors.map((error) => errorOf(error)),
          type,
        ),
      }),
      onError({ error, path, req }) {
        const requestId = req.res && requestIdOf(req.res);
        logFailure(log, errorOf(error), { message: 'A call failed', path, requestId });
      },
    }),
  );
  return router;
}

/** Reads a body before tRPC does: tRPC would parse one that is nested deeply. Resolves to false after a refusal. */
async function readShallowBody(request: Request, response: Response): Promise<boolean> {
  const account = currentPayer();
  try {
    const bytes = await readBytes(request, bodyMax);
    workFor(account);
    requireShallow(bytes);
    request.body = bytes.toString('utf8');
    return true;
  } catch (thrown) {
    refuse(response, errorOf(thrown));
    return false;
  }
}

/** The call fails later, with the error of its admission. */
const notAdmitted = { rate: undefined, principal: null };

/** Gives an id to answers that are refused before there is a context. */
const nameRequest: RequestHandler = (_request, response, next) => {
  response.setHeader('X-Request-Id', createId());
  next();
};

const requestIdOf = (response: Response): string => String(response.getHeader('X-Request-Id'));

/** The headers of refusals. The calls of a batch share them. */
function headersOf(errors: readonly AppError[], type: string): Record<string, string> {
  const waits = errors.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  const isWrongMethod = errors.some(({ kind }) => kind === 'method_not_allowed');
  return {
    ...(waits.length > 0 && { 'Retry-After': String(Math.max(...waits)) }),
    // A stopping server waits for connections that may have another request.
    ...(type === 'subscription' && { Connection: 'close' }),
    ...(isWrongMethod && { Allow: type === 'mutation' ? 'POST' : 'GET' }),
  };
}

/** tRPC answers a wrong method itself, but fails on methods that fetch does not know, such as TRACE. */
const refuseOtherMethods =
  (docsUrl: string): RequestHandler =>
  (request, response: Response, next) => {
    if (['GET', 'HEAD', 'POST'].includes(request.method)) return next();
    const requestId = requestIdOf(response);
    const { status, body } = errorToAnswer(commonErrors.method_not_allowed(), { requestId, docsUrl });
    return response.status(status).set('Allow', 'GET, POST').json(body);
  };

/** The workspace that a member chose. An EventSource of a browser cannot send headers, so it names the workspace in the query. */
function workspaceOf(request: Request): string | undefined {
  const chosen = request.get('x-workspace');
  if (chosen !== undefined || !request.url.includes('connectionParams=')) return chosen;
  const { searchParams } = new URL(request.url, 'http://localhost');
  try {
    return parseConnectionParamsFromString(searchParams.get('connectionParams') ?? '')?.['workspaceId'];
  } catch {
    return undefined;
  }
}

/** The calls of a request: its path names them with commas between. */
const countCalls = (path: string): number => 1 + (path.match(/,|%2c/gi)?.length ?? 0);

/** Refuses a batch by its path. The same refusal by tRPC would take 0.3 to 0.7 ms, because it captures a stack. */
const refuseLargeBatch: RequestHandler = ({ method, path }, response, next) =>
  countCalls(path) <= batchMax || method === 'HEAD'
    ? next()
    : refuse(response, commonErrors.batch_too_large());

/** Refuses all calls of a request with one error, as tRPC's clients accept it. */
function refuse(response: Response, error: AppError): void {
  response.writeHead(httpStatusByKind[error.kind], {
    ...headersOf([error], 'query'),
    'Content-Type': 'application/json',
    Vary: 'trpc-accept, accept',
  });
  response.end(refusalText(error, requestIdOf(response)));
}
