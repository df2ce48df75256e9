// trpc-to-openapi translates an admitted request into the call of its procedure: its handler finds the procedure, joins the path with
// the query or the body into the input, calls the procedure and gives the result. The admission has decided before what the handler
// would decide differently, so the request that the handler gets has one reading only
// (infra/decisions/20261125-trpc-to-openapi-translates-rest.md).
import type { IncomingMessage } from 'node:http';
import type { ProcedureResult } from '@service/surface';
import type { AnyServiceRouter, RequestContext } from '@service/trpc';
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi';
import { z } from 'zod';
import { listRoutes, type Route } from './route-table.ts';

export interface AdmittedRequest {
  route: Route;
  /** As the API reference writes it. */
  path: string;
  /** The values of the query, in the types of the schema, or the members of the body. */
  fields: Record<string, unknown>;
  context: RequestContext;
}

/** Calls the procedure of an admitted request. Throws its error. */
export type Translate = (request: AdmittedRequest) => Promise<ProcedureResult>;

export function createTranslate(router: AnyServiceRouter): Translate {
  const handle = createOpenApiNodeHttpHandler<AnyServiceRouter, Handled, never>({
    router: viewOf(router),
    createContext: ({ req: { context, procedure, answer } }): HandledContext => ({
      ...context,
      procedure,
      answer,
    }),
    responseMeta({ ctx, data }) {
      if (ctx) (ctx as HandledContext).answer.data = data[0];
      return {};
    },
    onError: ({ error, req }) => void (req.answer.error = error),
  });
  return async (request) => {
    const answer = new CollectedAnswer();
    await handle(toHandled(request, answer), answer as never);
    if (answer.error) throw answer.error;
    return { data: answer.data, text: answer.text };
  };
}

/**
 * The routes with their path parameters only. The handler makes zod convert the values of the schemas that it sees, and they are the
 * schemas of all surfaces: `"false"` would be true in a JSON body. It takes the first path that matches, and `{` comes after all letters.
 */
function viewOf(router: AnyServiceRouter): AnyServiceRouter {
  const routes = listRoutes(router).toSorted((one, other) => (one.template < other.template ? -1 : 1));
  const procedures = Object.fromEntries(
    routes.map((route) => [route.procedure, { _def: definitionOf(route) }]),
  );
  const createCaller = (context: HandledContext) => callerOf(router, context);
  return { _def: { ...router._def, procedures }, createCaller } as unknown as AnyServiceRouter;
}

/** A caller of the admitted procedure only: if the handler reads a path otherwise than the admission, nothing is called. */
function callerOf(router: AnyServiceRouter, context: HandledContext): unknown {
  const names = context.procedure.split('.');
  const caller: unknown = router.createCaller(context);
  const call = names.reduce((inner, name) => (inner as Record<string, unknown>)[name], caller);
  return names.reduceRight((inner, name) => ({ [name]: inner }), call);
}

const definitionOf = ({ type, method, template, pathParameters }: Route) => ({
  type,
  meta: { openapi: { method, path: template } },
  inputs: [z.object(Object.fromEntries(pathParameters.map((name) => [name, z.string()])))],
  output: z.unknown(),
});

/** Takes the place of the response. The chain keeps the answer, and writes its status and headers. */
class CollectedAnswer {
  statusCode = 0;
  data: unknown;
  text: string | undefined;
  error: Error | undefined;

  setHeader(): void {}

  end(text: string | undefined): void {
    this.text = text;
  }
}

interface CallParts {
  /** The name of the admitted procedure. */
  procedure: string;
  answer: CollectedAnswer;
}

type HandledContext = RequestContext & CallParts;

interface Handled extends IncomingMessage, CallParts {
  context: RequestContext;
}

/** A request as the handler gets it from the package's adapter for `fetch`, with its body read. */
const toHandled = (
  { route: { method, procedure }, path, fields, context }: AdmittedRequest,
  answer: CollectedAnswer,
) =>
  ({
    __proto__: Request.prototype,
    method,
    url: path,
    headers: jsonHeaders,
    signal: undefined,
    body: fields,
    // The handler drops `false`, `0` and an empty text, but not a list with one of them, and takes the value out of the list.
    query: readsQuery(method)
      ? Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]))
      : {},
    context,
    procedure,
    answer,
  }) as unknown as Handled;

/** The handler reads no body of these methods. */
const readsQuery = (method: string): boolean => method === 'GET' || method === 'DELETE';

const jsonHeaders = new Headers({ 'Content-Type': 'application/json' });
