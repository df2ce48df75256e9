import type { AccountWriter, OpenTransaction } from '@service/database';
import { AppError, type ErrorKind } from '@service/errors';
import type { AloneTurn, BatchedWrite, BatchTurn } from './batched-write.ts';
import type { AnsweredRequest, Outcome, RequestContext } from './context.ts';
import { errorOf } from './error-of.ts';

/** Refusals that a repeated request would get again. */
const lastingKinds: ReadonlySet<ErrorKind> = new Set([
  'not_found',
  'conflict',
  'precondition_failed',
  'invalid',
]);

/** True for a refusal that is kept for the idempotency key of its request. One that names a wait passes by itself. */
const isKept = ({ kind, retryAfterSeconds }: AppError): boolean =>
  lastingKinds.has(kind) && retryAfterSeconds === undefined;

interface UnitOptions {
  accountId: string;
  /** The batch of the call has failed: it runs again without one. */
  isAlone: boolean;
}

type Ended = { ok: true; data: unknown } | { ok: false; error: unknown };

/**
 * The transaction of one write, or its part of a batch. It stays open until the answer is known, so that a kept answer is committed with
 * the work. Between the work and the commit a handler only shapes its answer, so the transaction stays short.
 */
export function createUnitOfWrite(
  { database, now, once }: Pick<RequestContext, 'database' | 'now' | 'once'>,
  { accountId, isAlone }: UnitOptions,
) {
  let open: OpenTransaction | undefined;
  let tx: AccountWriter | undefined;
  let turn: AloneTurn | BatchTurn<unknown> | undefined;

  // The deferred writes and callbacks of the work. They are dropped when a refusal is kept instead of the work.
  const deferred: Parameters<AccountWriter['defer']>[] = [];
  const followers: Parameters<AccountWriter['followCommit']>[0][] = [];
  const callbacks: (() => void | Promise<void>)[] = [];

  async function begin(): Promise<AccountWriter> {
    const begun = await database.begin();
    open = begun;
    const writer: AccountWriter = {
      get em() {
        return begun.em;
      },
      query: begun.query,
      accountId,
      now,
      defer: (...write) => void deferred.push(write),
      followCommit: (send) => void followers.push(send),
      afterCommit: (callback) => void callbacks.push(callback),
    };
    if (once) {
      const [[earlier]] = await Promise.all([
        once.claims.claim(writer, [once.request]),
        writer.query({ text: 'savepoint work' }, []),
      ]);
      if (earlier instanceof AppError) throw earlier;
      if (earlier) {
        await begun.rollback();
        if (turn?.kind === 'alone') turn.end();
        once.replay(earlier);
        // The call is answered, so the handler must not go on. Nothing refers to it any more, so it is garbage-collected.
        await new Promise<never>(() => undefined);
      }
    }
    // After the claim: without a claim no answer is kept.
    tx = writer;
    return writer;
  }

  const answered = (outcome: Outcome): AnsweredRequest | undefined =>
    once && { request: once.request, answer: once.answerOf(outcome) };

  function keep(writer: AccountWriter, outcome: Outcome): void {
    const kept = answered(outcome);
    if (kept) once!.claims.keep(writer, [kept]);
  }

  async function keepRefusal(writer: AccountWriter, error: AppError): Promise<void> {
    writer.em.clear();
    await writer.query({ text: 'rollback to savepoint work' }, []);
    deferred.length = 0;
    keep(writer, { ok: false, error });
    for (const write of deferred) open!.defer(...write);
    await open!.commit();
  }

  async function endAlone(result: Ended, beforeCommit: (tx: AccountWriter) => void): Promise<boolean> {
    if (!open) return false;
    try {
      if (result.ok) {
        if (tx) beforeCommit(tx);
        if (tx) keep(tx, { ok: true, data: result.data });
        for (const write of deferred) open.defer(...write);
        for (const send of followers) open.followCommit(send);
        for (const callback of callbacks) open.afterCommit(callback);
        await open.commit();
        return true;
      } else if (once && tx && isKept(errorOf(result.error))) {
        await keepRefusal(tx, errorOf(result.error));
      }
      return false;
    } finally {
      await open.rollback();
    }
  }

  async function endInBatch(
    batch: BatchTurn<unknown>,
    result: Ended,
    beforeCommit: (tx: AccountWriter) => void,
  ): Promise<boolean | 'again'> {
    const error = result.ok ? undefined : errorOf(result.error);
    // Any other error comes from the handler, after the work of the batch was done for this call too.
    const isFailed = error !== undefined && error !== batch.outcome;
    let kept: AnsweredRequest | undefined;
    try {
      if (result.ok) {
        beforeCommit(batch.tx);
        kept = answered({ ok: true, data: result.data });
      } else if (!isFailed && isKept(error!)) kept = answered({ ok: false, error: error! });
    } catch (thrown) {
      // The other calls wait for the end of this one.
      await batch.end({ isFailed: true, kept: undefined });
      throw thrown;
    }
    const isCommitted = await batch.end({ isFailed, kept });
    if (isFailed) return false;
    return isCommitted ? result.ok : 'again';
  }

  /**
   * Runs work in the one transaction of the call. The first work opens it. Does not return when the call repeats an earlier one,
   * whose answer is then sent instead.
   */
  const run = async <Result>(work: (tx: AccountWriter) => Promise<Result>): Promise<Result> =>
    work(tx ?? (await begin()));

  return {
    run,
    /** Runs work that calls of the account can make together, as the first work of the call, then `finish`. */
    async runBatched<Input, Result, Finished>(
      write: BatchedWrite<Input, Result>,
      input: Input,
      finish: (tx: AccountWriter, result: Result) => Promise<Finished>,
    ): Promise<Finished> {
      const entered = isAlone ? undefined : await write.enter({ accountId, database, now, once, input });
      turn = entered;
      if (entered?.kind === 'batch') {
        tx = entered.tx;
        return finish(tx, requireResult(entered.outcome));
      }
      return run(async (own) => finish(own, requireResult((await write.run(own, [input]))[0]!)));
    },
    /**
     * Commits the work of a successful call, else rolls it back. Returns true if work was committed: a call may also have none.
     * Returns 'again' if the batch of the call was rolled back because of another call. `beforeCommit` adds writes to successful work.
     * Throws the error of a failed commit.
     */
    async end(result: Ended, beforeCommit: (tx: AccountWriter) => void): Promise<boolean | 'again'> {
      if (turn?.kind === 'batch') return endInBatch(turn, result, beforeCommit);
      try {
        return await endAlone(result, beforeCommit);
      } finally {
        turn?.end();
      }
    },
  };
}

function requireResult<Result>(outcome: Result | AppError): Result {
  if (outcome instanceof AppError) throw outcome;
  return outcome;
}

/** Makes a call that may be part of a batch. After a batch that was rolled back it is made again alone, once `reset` has been called. */
export async function tryInBatch<Outcome extends { end: boolean | 'again' }>(
  attempt: (isAlone: boolean) => Promise<Outcome>,
  reset?: () => void,
): Promise<Outcome> {
  const first = await attempt(false);
  if (first.end !== 'again') return first;
  reset?.();
  return attempt(true);
}

interface BatchedCall<Input, Result> {
  write: BatchedWrite<Input, Result>;
  input: Input;
}

/** A write outside the procedures that calls of the account can make together. When its batch fails, it runs again alone. */
export async function writeBatched<Input, Result, Finished>(
  context: Pick<RequestContext, 'database' | 'now'> & { accountId: string },
  { write, input }: BatchedCall<Input, Result>,
  finish: (tx: AccountWriter, result: Result) => Promise<Finished>,
): Promise<Finished> {
  const attempt = async (isAlone: boolean) => {
    const unit = createUnitOfWrite(context, { accountId: context.accountId, isAlone });
    const result = await unit.runBatched(write, input, finish).then(
      (data) => ({ ok: true as const, data }),
      (error: unknown) => ({ ok: false as const, error }),
    );
    return { result, end: await unit.end(result, () => undefined) };
  };
  const { result } = await tryInBatch(attempt);
  if (!result.ok) throw result.error;
  return result.data;
}
