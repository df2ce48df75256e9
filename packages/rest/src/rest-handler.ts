// REST over the same procedures that the dashboard calls. This surface reads a call from a request and writes its answer; the
// chain of `packages/surface` does everything between.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createChain, hidesCaller, type Answer, type ChainOptions, type RateState } from '@service/surface';
import { sendAnswer, setNextPageLink, setRateHeaders } from './send-answer.ts';
import { readContent, type Exchange } from './read-content.ts';
import { createRouteTable, parseTarget, type RouteMatch } from './route-table.ts';
import { requestIdOf, senderOf } from './sender-of.ts';
import { createTranslate } from './translate.ts';

export type RestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Answers every request below its mount point. `request.url` does not contain the mount point. */
export function createRestHandler(options: ChainOptions): RestHandler {
  const findRoute = createRouteTable(options.router);
  const translate = createTranslate(options.router);
  const answerCall = createChain('rest', options);

  return (request, response) => {
    const requestId = requestIdOf(request);
    response.setHeader('X-Request-Id', requestId);
    const url = parseTarget(request.url ?? '/');
    const method = request.method ?? 'GET';
    const match = findRoute(method, url.pathname);
    const exchange = { request, response, url, apiUrl: options.apiUrl };
    return answerCall({
      authorization: request.headers.authorization,
      requestId,
      target:
        match.kind === 'route'
          ? {
              procedure: match.route,
              read: () => readContent(exchange, match.route),
              call: (context, fields) =>
                translate({ ...match, context, fields: fields as Record<string, unknown> }),
            }
          : match.kind,
      method,
      path: pathOf(request),
      sender: senderOf(request),
      write: (answer, rate) => writeAnswer(exchange, { answer, rate, match }),
    });
  };
}

function writeAnswer(
  { response, url, apiUrl }: Exchange,
  { answer, rate, match }: { answer: Answer; rate: RateState | undefined; match: RouteMatch },
): number {
  if (rate && !hidesCaller(answer)) setRateHeaders(response, rate);
  if (match.kind === 'method_not_allowed' && answer.status === 405)
    response.setHeader('Allow', match.allowed.join(', '));
  setNextPageLink(response, answer, { url, apiUrl });
  sendAnswer(response, answer, { isRecord: match.kind === 'route' && match.route.isRecord });
  return response.statusCode;
}

const pathOf = (request: IncomingMessage): string =>
  ((request as { originalUrl?: string }).originalUrl ?? request.url ?? '/').split('?')[0]!;
