import type { AccountWriter, OpenTransaction } from '@service/database';
import type { AppError, ErrorKind } from '@service/errors';
import type { RequestContext } from './context.ts';
import { errorOf } from './error-of.ts';

/** Refusals that a repeated request would get again. They are kept for its idempotency key. */
const keptRefusals: ReadonlySet<ErrorKind> = new Set([
  'not_found',
  'conflict',
  'precondition_failed',
  'invalid',
]);

/**
 * The transaction of one write. It stays open until the answer is known, so that a kept answer is committed with the work.
 * Between the work and the commit a handler only shapes its answer, so the transaction stays short.
 */
export function createUnitOfWrite({ database, now, once }: RequestContext, accountId: string) {
  let open: OpenTransaction | undefined;
  let tx: AccountWriter | undefined;

  // The deferred writes and callbacks of the work. They are dropped when a refusal is kept instead of the work.
  const deferred: Parameters<AccountWriter['defer']>[] = [];
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
      afterCommit: (callback) => void callbacks.push(callback),
    };
    if (once) {
      const [earlier] = await Promise.all([once.claim(writer), writer.query({ text: 'savepoint work' }, [])]);
      if (earlier) {
        await begun.rollback();
        once.replay(earlier);
        // The call is answered, so the handler must not go on. Nothing refers to it any more, so it is garbage-collected.
        await new Promise<never>(() => undefined);
      }
    }
    // After the claim: without a claim no answer is kept.
    tx = writer;
    return writer;
  }

  async function keepRefusal(writer: AccountWriter, error: AppError): Promise<void> {
    writer.em.clear();
    await writer.query({ text: 'rollback to savepoint work' }, []);
    deferred.length = 0;
    once!.keep(writer, { ok: false, error });
    for (const write of deferred) open!.defer(...write);
    await open!.commit();
  }

  return {
    /**
     * Runs work in the one transaction of the call. The first work opens it. Does not return when the call repeats an earlier one,
     * whose answer is then sent instead.
     */
    async run<Result>(work: (tx: AccountWriter) => Promise<Result>): Promise<Result> {
      return work(tx ?? (await begin()));
    },
    /**
     * Commits the work of a successful call, else rolls it back. Returns true if work was committed: a call may also have none.
     * `beforeCommit` adds writes to successful work. Throws the error of a failed commit.
     */
    async end(
      result: { ok: true; data: unknown } | { ok: false; error: unknown },
      beforeCommit: (tx: AccountWriter) => void,
    ): Promise<boolean> {
      if (!open) return false;
      try {
        if (result.ok) {
          if (tx) beforeCommit(tx);
          if (once && tx) once.keep(tx, { ok: true, data: result.data });
          for (const write of deferred) open.defer(...write);
          for (const callback of callbacks) open.afterCommit(callback);
          await open.commit();
          return true;
        } else if (once && tx && keptRefusals.has(errorOf(result.error).kind)) {
          await keepRefusal(tx, errorOf(result.error));
        }
        return false;
      } finally {
        await open.rollback();
      }
    },
  };
}
