// Every call of a client takes the same three steps on every surface: admit, run, record. A call is admitted before the rest of
// it is read: a caller without a valid credential for the procedure gets 401 and no other information.
import type { Scope, Surface } from '@service/catalogue';
import { commonErrors } from '@service/errors';
import { currentPayer, nextTurn, workForCaller, type Payer } from '@service/database';
import { errorOf, logFailure } from '@service/trpc';
import { requireAdmission, type Admission } from './admission.ts';
import { refusalOf, toRefusal, type Answer } from './answer.ts';
import type { Call, ChainOptions, OwnTarget, Target } from './call.ts';
import { scopesOf } from './procedure.ts';
import { runProcedure } from './run-procedure.ts';

/** Creates the function that answers the calls of one surface. */
export function createChain(surface: Surface, options: ChainOptions): (call: Call) => Promise<void> {
  const { credentials, record, log } = options;
  const docsUrl = `${options.apiUrl}/docs`;

  return async (call) => {
    const startedMs = performance.now();
    const { authorization, requestId, target, scopes = scopesOfTarget(target) } = call;
    const caller = currentPayer();
    let admission: Admission | null = null;
    let account: Payer | undefined;
    let answer: Answer;
    try {
      const request = { authorization, surface, scopes };
      admission = await (call.admission ?? credentials.admit(request));
      if (admission) {
        account = options.database.ofAccount(admission.principal.accountId);
        workForCaller(account, caller);
      }
      const admitted = requireAdmission(admission, credentials, { authorization, scopes });
      const admitAgain = async (): Promise<void> => {
        const again = await credentials.admit({ ...request, isCounted: false });
        if (!again) throw credentials.refuse(authorization);
        if (again.isSuspended) throw commonErrors.account_suspended();
      };
      const known = requireTarget(target);
      answer =
        'respond' in known
          ? await known.respond(admitted)
          : await runProcedure(known, { admission: admitted, admitAgain, requestId, docsUrl, options });
    } catch (thrown) {
      answer = toRefusal(errorOf(thrown), { requestId, docsUrl });
    }
    if (account && (answer.body?.length ?? 0) > largeAnswerBytes) await awaitTurn(answer, account);
    if (answer.error) logFailure(log, answer.error, { message: 'A request failed', requestId });
    const status = call.write(answer, admission?.rate);
    if (!admission) return;
    const { method, path, tool, sender } = call;
    record({
      principal: admission.principal,
      at: admission.now,
      status,
      method,
      path,
      tool,
      sender,
      refusal: refusalOf(answer),
      replayed: answer.replayed,
      durationMs: performance.now() - startedMs,
      requestId,
    });
  };
}

/** Sending a shorter answer costs less than the rest of its call. */
const largeAnswerBytes = 64 * 1024;

/** Milliseconds to compress and send one byte, mostly on other threads: 128 kB take about 2.5 ms. */
const byteMs = 0.000_02;

/** Charges the account for a large answer, and resolves when it may be sent. */
async function awaitTurn({ body }: Answer, account: Payer): Promise<void> {
  account.charge(body!.length * byteMs);
  await nextTurn();
}

const scopesOfTarget = (target: Call['target']): readonly Scope[] =>
  typeof target === 'object' && 'procedure' in target ? scopesOf(target.procedure) : [];

function requireTarget(target: Call['target']): Target | OwnTarget {
  if (typeof target === 'string') throw commonErrors[target]();
  return target;
}
