import type { Scope } from '@service/catalogue';
import { databaseTime } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
import {
  createReply,
  errorOf,
  requireScopes,
  type AnyServiceRouter,
  type Outcome,
  type Principal,
  type RequestContext,
} from '@service/trpc';
import { callTRPCProcedure } from '@trpc/server';
import { admissionMaxAgeMs, type Admission } from './admission.ts';
import { toAnswer, toRefusal, toReplay, type Answer } from './answer.ts';
import type { CallProcedure, ChainOptions, ContextParts, Target } from './call.ts';
import { scopesOf, type Procedure, type ProcedureResult } from './procedure.ts';

interface RunOptions {
  admission: Admission;
  /** Throws the refusal of a credential that is not valid any more. */
  admitAgain: () => Promise<void>;
  requestId: string;
  docsUrl: string;
  options: ChainOptions;
}

type AnswerOf = (outcome: Outcome & Pick<ProcedureResult, 'text'>) => Answer;

/**
 * Reads the rest of an admitted call and runs its procedure, or finds the kept answer of its idempotency key. Refusals of the
 * procedure are returned, those of `read`, `find` and `input` are thrown.
 */
export async function runProcedure(
  { procedure, read, call }: Target,
  { admission, admitAgain, requestId, docsUrl, options }: RunOptions,
): Promise<Answer> {
  const { answers, router, credentials } = options;
  const admittedMs = performance.now();
  const { keyed, ifMatch, scopes = [], input } = await read(admission);
  if (performance.now() - admittedMs > admissionMaxAgeMs) await admitAgain();
  const refuseScopes = (lacking: readonly Scope[]) =>
    credentials.refuseScopes([...scopesOf(procedure), ...lacking]);
  requireScopes({ principal: admission.principal, refuseScopes }, scopes);
  const context = { ...toRequestContext(admission, options, requestId), ifMatch, refuseScopes };
  const answerOf = createAnswerOf(procedure, { context, docsUrl });
  const run = async (given: unknown): Promise<Answer> => {
    try {
      return answerOf({ ok: true, ...(await (call ?? callByName(router, procedure))(context, given)) });
    } catch (thrown) {
      return answerOf({ ok: false, error: errorOf(thrown, { input: given }) });
    }
  };
  if (!keyed) return run(input());

  const { accountId } = admission.principal;
  const earlier = await answers.find({ accountId, now: context.now }, keyed);
  if (earlier) return toReplay(earlier);
  // A simultaneous call with the same key may end first. Then `replay` answers this call, and `run` never ends.
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  context.once = { request: keyed, claims: answers, answerOf, replay: (kept) => resolve(toReplay(kept)) };
  run(input()).then(resolve, reject);
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
      ? toAnswer(outcome, reply, procedure)
      : toRefusal(hidePathProblems(outcome.error, procedure), { requestId, docsUrl });
    made = { of, answer };
    return answer;
  };
}

/** tRPC validates the input and runs the handler of the procedure. */
const callByName =
  (router: AnyServiceRouter, { procedure, type }: Procedure): CallProcedure =>
  async (ctx, input) => ({
    data: await callTRPCProcedure({
      router,
      path: procedure,
      getRawInput: async () => input,
      ctx,
      type,
      signal: undefined,
      batchIndex: 0,
    }),
  });

/** A malformed id in a path is answered 404, like any other unknown id. */
function hidePathProblems(error: AppError, { pathParameters }: Procedure): AppError {
  const inPath = pathParameters && error.issues?.some(({ path }) => pathParameters.includes(path));
  return inPath ? commonErrors.not_found({ cause: error }) : error;
}

/** The result of an admission that procedures need. Members have one too; without a session their principal is null. */
interface Admitted {
  principal: Principal | null;
  /** Undefined when the refusal came from memory. */
  now: Date | undefined;
  isSuspended: boolean;
}

/** The context in which the procedure of an admitted call runs. */
export function toRequestContext(
  { principal, now, isSuspended }: Admitted,
  { database, log, onWritten }: ContextParts,
  requestId: string,
): RequestContext {
  return {
    principal,
    database: principal ? database.ofAccount(principal.accountId) : database,
    now: now ?? databaseTime(),
    isSuspended,
    log,
    requestId,
    reply: createReply(),
    onWritten,
  };
}
