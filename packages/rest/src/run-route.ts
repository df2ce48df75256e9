import { commonErrors, type AppError } from '@service/errors';
import {
  AlreadyAnswered,
  createReply,
  errorOf,
  type KeptAnswer,
  type KeyedRequest,
  type KeyPrincipal,
  type Outcome,
} from '@service/trpc';
import { callTRPCProcedure, TRPCError } from '@trpc/server';
import { errorToAnswer, setNextPageLink, toAnswer, type Answer } from './answer.ts';
import { buildInput } from './build-input.ts';
import type { Call, RestOptions } from './call.ts';
import { keyedRequestOf } from './keyed-request.ts';
import { readBody } from './read-body.ts';
import type { Route } from './route-table.ts';

interface RouteResult {
  answer: Answer;
  replayed: boolean;
}

interface Admitted {
  principal: KeyPrincipal;
  now: Date;
  options: RestOptions;
}

/** Reads the request, runs its procedure and shapes the answer. Throws the error of a refused request. */
export async function runRoute(
  call: Call,
  { route, parameters }: { route: Route; parameters: Record<string, string> },
  { principal, now, options }: Admitted,
): Promise<RouteResult> {
  const { request, response, url, requestId } = call;
  const database = options.database.ofAccount(principal.accountId);
  const body = route.type === 'mutation' ? await readBody(request) : {};
  const keyed = route.type === 'mutation' ? keyedRequestOf(request, url, body) : undefined;
  if (keyed) {
    const { query } = database;
    const earlier = await options.answers.find({ query, accountId: principal.accountId, now }, keyed);
    if (earlier) return replay(earlier);
  }

  const input = buildInput(route, { parameters, query: url.searchParams, body });
  const reply = createReply();
  // The answer of a write with a key is shaped when it is kept, before it is sent. The same answer is sent then.
  let kept: { data: unknown; answer: Answer } | undefined;
  const shape = (outcome: Outcome): Answer => {
    if (outcome.ok && kept && kept.data === outcome.data) return kept.answer;
    const answer = shapeAnswer(outcome, { route, requestId, options });
    if (outcome.ok) kept = { data: outcome.data, answer };
    return answer;
  };
  try {
    const data = await callTRPCProcedure({
      router: options.router,
      path: route.procedure,
      getRawInput: async () => input,
      ctx: {
        principal,
        database,
        now,
        log: options.log.child({ requestId }),
        requestId,
        reply,
        once: keyed && onceOf(keyed, shape, options),
      },
      type: route.type,
      signal: undefined,
      batchIndex: 0,
    });
    const cursor = nextCursorOf(data);
    if (cursor) setNextPageLink(response, { url, apiUrl: options.apiUrl, cursor });
    return { answer: shape({ ok: true, data, reply }), replayed: false };
  } catch (thrown) {
    const earlier = thrown instanceof TRPCError ? thrown.cause : thrown;
    if (earlier instanceof AlreadyAnswered) return replay(earlier.answer);
    throw hidePathProblems(errorOf(thrown), route);
  }
}

/** Claims the key of a request, and keeps exactly the answer that is sent. */
const onceOf = (keyed: KeyedRequest, shape: (outcome: Outcome) => Answer, { answers }: RestOptions) => ({
  claim: (tx: Parameters<typeof answers.claim>[0]) => answers.claim(tx, keyed),
  keep(tx: Parameters<typeof answers.keep>[0], outcome: Outcome) {
    const { status, body, headers } = shape(outcome);
    answers.keep(tx, keyed, { status, body, location: headers?.['Location'] ?? null });
  },
});

function shapeAnswer(
  outcome: Outcome,
  { route, requestId, options }: { route: Route; requestId: string; options: RestOptions },
): Answer {
  if (!outcome.ok) {
    const error = hidePathProblems(outcome.error, route);
    return toAnswer(errorToAnswer(error, { requestId, docsUrl: `${options.apiUrl}/docs` }));
  }
  const { status, location } = outcome.reply;
  const headers = location === undefined ? undefined : { Location: `/api/v1${location}` };
  return toAnswer({ status: status ?? route.status, body: outcome.data, headers });
}

const replay = ({ status, body, location }: KeptAnswer): RouteResult => ({
  answer: {
    status,
    body,
    headers: { 'Idempotent-Replayed': 'true', ...(location !== null && { Location: location }) },
  },
  replayed: true,
});

/** A malformed id in a path is answered 404, like any other unknown id. */
function hidePathProblems(error: AppError, route: Route): AppError {
  const inPath = error.issues?.some((issue) => route.pathParameters.includes(issue.path));
  return inPath ? commonErrors.not_found({ cause: error }) : error;
}

const nextCursorOf = (data: unknown): string | null | undefined =>
  (data as { pagination?: { nextCursor: string | null } } | undefined)?.pagination?.nextCursor;
