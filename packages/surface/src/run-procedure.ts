import type { Scope } from '@service/catalogue';
import { commonErrors, type AppError } from '@service/errors';
import {
  errorOf,
  requireScopes,
  type AnyServiceRouter,
  type Outcome,
  type RequestContext,
} from '@service/trpc';
import { callTRPCProcedure } from '@trpc/server';
import { toRequestContext, type Admission } from './admission.ts';
import { toAnswer, toRefusal, toReplay, type Answer } from './answer.ts';
import type { ChainOptions, Target } from './call.ts';
import { scopesOf, type Procedure } from './procedure.ts';

interface RunOptions {
  admission: Admission;
  requestId: string;
  docsUrl: string;
  options: ChainOptions;
}

type AnswerOf = (outcome: Outcome) => Answer;

/**
 * Reads the rest of an admitted call and runs its procedure, or finds the kept answer of its idempotency key. Refusals of the
 * procedure are returned, those of `read`, `find` and `input` are thrown.
 */
export async function runProcedure(
  { procedure, read }: Target,
  { admission, requestId, docsUrl, options }: RunOptions,
): Promise<Answer> {
  const { answers, router, credentials } = options;
  const { keyed, ifMatch, scopes = [], input } = await read();
  const refuseScopes = (lacking: readonly Scope[]) =>
    credentials.refuseScopes([...scopesOf(procedure), ...lacking]);
  requireScopes({ principal: admission.principal, refuseScopes }, scopes);
  const context = { ...toRequestContext(admission, options, requestId), ifMatch, refuseScopes };
  const answerOf = createAnswerOf(procedure, { context, docsUrl });
  if (!keyed) return callProcedure({ router, procedure, context, input: input() }, answerOf);

  const { database, now } = context;
  const { accountId } = admission.principal;
  const earlier = await answers.find({ query: database.query, accountId, now }, keyed);
  if (earlier) return toReplay(earlier);
  // A simultaneous call with the same key may end first. Then `replay` answers this call, and `callProcedure` never ends.
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  context.once = {
    claim: (tx) => answers.claim(tx, keyed),
    replay: (kept) => resolve(toReplay(kept)),
    keep: (tx, outcome) => answers.keep(tx, keyed, answerOf(outcome)),
  };
  callProcedure({ router, procedure, context, input: input() }, answerOf).then(resolve, reject);
  return promise;
}

/** The answer of an outcome is made when it is kept, before the commit. The same answer is sent after the commit. */
function createAnswerOf(
  procedure: Procedure,
  { context, docsUrl }: { context: RequestContext; docsUrl: string },
): AnswerOf {
  const { reply, requestId } = context;
  let made: { of: unknown; answer: Answer } | undefined;
  return (outcome) => {
    const of = outcome.ok ? outcome.data : outcome.error;
    if (made && made.of === of) return made.answer;
    const answer = outcome.ok
      ? toAnswer(outcome.data, reply, procedure)
      : toRefusal(hidePathProblems(outcome.error, procedure), { requestId, docsUrl });
    made = { of, answer };
    return answer;
  };
}

interface ProcedureCall {
  router: AnyServiceRouter;
  procedure: Procedure;
  context: RequestContext;
  input: unknown;
}

/** Validates the input and runs the handler, a write in one transaction (`packages/trpc`). */
async function callProcedure(
  { router, procedure, context, input }: ProcedureCall,
  answerOf: AnswerOf,
): Promise<Answer> {
  try {
    const data: unknown = await callTRPCProcedure({
      router,
      path: procedure.procedure,
      getRawInput: async () => input,
      ctx: context,
      type: procedure.type,
      signal: undefined,
      batchIndex: 0,
    });
    return answerOf({ ok: true, data });
  } catch (thrown) {
    return answerOf({ ok: false, error: errorOf(thrown) });
  }
}

/** A malformed id in a path is answered 404, like any other unknown id. */
function hidePathProblems(error: AppError, { pathParameters }: Procedure): AppError {
  const inPath = pathParameters && error.issues?.some(({ path }) => pathParameters.includes(path));
  return inPath ? commonErrors.not_found({ cause: error }) : error;
}
