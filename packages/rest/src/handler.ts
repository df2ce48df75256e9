// REST over the same procedures the dashboard calls. Order matters: who it is and whether they may is settled before a byte
// of the body is read, so that nothing but 401 is learnt without a key that may do the thing.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createId, type Database } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import type { Log } from '@service/log';
import { createReply, errorOf, type AnyServiceRouter, type KeyPrincipal, type Scope } from '@service/trpc';
import { callTRPCProcedure } from '@trpc/server';
import { errorToAnswer, sendAnswer } from './answer.ts';
import { buildInput } from './build-input.ts';
import { readBody } from './read-body.ts';
import { createRouteTable, type Route, type RouteMatch } from './route-table.ts';

/** An authenticated call that has been answered. `path` is without its query, which may hold personal data. */
export interface AnsweredCall {
  principal: KeyPrincipal;
  at: Date;
  status: number;
  method: string;
  path: string;
  replayed: boolean;
  durationMs: number;
  requestId: string;
}

export interface RestOptions {
  router: AnyServiceRouter;
  database: Database;
  log: Log;
  /** Null for whoever may not do this; why is nobody's business. `scope` is undefined where no route matched. */
  authenticate: (authorization: string | undefined, scope: Scope | undefined) => Promise<KeyPrincipal | null>;
  onAnswered: (call: AnsweredCall) => void;
  /** Where the error codes are explained, absolute. */
  docsUrl: string;
  now?: () => Date;
}

export type RestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  match: RouteMatch;
  requestId: string;
  at: Date;
}

/** Answers everything below its mount point, of which `request.url` has been relieved. Never throws. */
export function createRestHandler(options: RestOptions): RestHandler {
  const match = createRouteTable(options.router);
  const now = options.now ?? (() => new Date());

  return async (request, response) => {
    const requestId = requestIdOf(request);
    response.setHeader('X-Request-Id', requestId);
    try {
      const url = parseUrl(request.url ?? '/');
      await answer(
        { request, response, url, match: match(request.method ?? 'GET', url.pathname), requestId, at: now() },
        options,
      );
    } catch (error) {
      refuse(response, errorOf(error), { requestId, ...options });
    }
  };
}

async function answer(call: Call, options: RestOptions): Promise<void> {
  const { request, response, match, requestId } = call;
  const started = performance.now();
  const scope = match.kind === 'route' ? match.route.scope : undefined;
  const principal = await options.authenticate(request.headers.authorization, scope);
  if (!principal) throw commonErrors.invalid_api_key();
  try {
    if (match.kind === 'unknown') throw commonErrors.not_found();
    if (match.kind === 'wrong_method') {
      response.setHeader('Allow', match.allowed.join(', '));
      throw commonErrors.method_not_allowed();
    }
    await run(call, match, { principal, options });
  } catch (error) {
    refuse(response, errorOf(error), { requestId, ...options });
  } finally {
    options.onAnswered({
      principal,
      at: call.at,
      status: response.statusCode,
      method: request.method ?? 'GET',
      path: pathOf(request),
      replayed: false,
      durationMs: performance.now() - started,
      requestId,
    });
  }
}

async function run(
  { request, response, url, requestId, at }: Call,
  { route, parameters }: { route: Route; parameters: Record<string, string> },
  { principal, options }: { principal: KeyPrincipal; options: RestOptions },
): Promise<void> {
  const body = route.type === 'mutation' ? await readBody(request) : {};
  const input = buildInput(route, { parameters, query: url.searchParams, body });
  const reply = createReply();
  const log = options.log.child({ requestId });
  const result = await callTRPCProcedure({
    router: options.router,
    path: route.procedure,
    getRawInput: async () => input,
    ctx: { principal, database: options.database, now: at, log, requestId, reply },
    type: route.type,
    signal: undefined,
    batchIndex: 0,
  }).catch((error: unknown) => {
    throw hidePathProblems(errorOf(error), route);
  });
  const headers = reply.location === undefined ? undefined : { Location: `/api/v1${reply.location}` };
  sendAnswer(response, { status: reply.status ?? route.status, body: result, headers });
}

/** A path with an id of the wrong form names nothing: 404, like any other id that is not there. */
function hidePathProblems(error: AppError, route: Route): AppError {
  const inPath = error.issues?.some((issue) => route.pathParameters.includes(issue.path));
  return inPath ? commonErrors.not_found({ cause: error }) : error;
}

function refuse(
  response: ServerResponse,
  error: AppError,
  context: { requestId: string; docsUrl: string; log: Log },
): void {
  if (error.kind === 'internal')
    context.log.error({ err: error.cause, requestId: context.requestId }, 'A request failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendAnswer(response, errorToAnswer(error, context));
}

/** The caller's own id if it is a sane token, else a new one. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : createId();
}

function parseUrl(path: string): URL {
  try {
    return new URL(path.replace(/^\/+/, '/'), 'http://localhost');
  } catch (error) {
    throw commonErrors.not_found({ cause: error });
  }
}

const pathOf = (request: IncomingMessage): string =>
  ((request as { originalUrl?: string }).originalUrl ?? request.url ?? '/').split('?')[0]!;
