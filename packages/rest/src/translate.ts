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
  /** GET for a HEAD request. */
  method: string;
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
    createContext: ({ req }): HandledContext => ({ ...req.context, answer: req.answer }),
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
  return { ...router, _def: { ...router._def, procedures } } as AnyServiceRouter;
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

interface HandledContext extends RequestContext {
  answer: CollectedAnswer;
}

interface Handled extends IncomingMessage {
  answer: CollectedAnswer;
  context: RequestContext;
}

/** A request as the handler gets it from the package's adapter for `fetch`, with its body read. */
const toHandled = ({ method, path, fields, context }: AdmittedRequest, answer: CollectedAnswer) =>
  ({
    __proto__: Request.prototype,
    method,
    url: path,
    headers: jsonHeaders,
    signal: undefined,
    body: fields,
    // The handler drops `false`, `0` and an empty text, but not a list with one of them, and takes the value out of the list.
    query: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]])),
    context,
    answer,
  }) as unknown as Handled;

const jsonHeaders = new Headers({ 'Content-Type': 'application/json' });
