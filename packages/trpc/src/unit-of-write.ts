import type { AccountWriter, OpenTransaction } from '@service/database';
import type { AppError, ErrorKind } from '@service/errors';
import type { RequestContext } from './context.ts';
import { errorOf } from './error-of.ts';

/** Refusals of a handler that would be the same if the request came again, so a retry gets them again. */
const keptRefusals: ReadonlySet<ErrorKind> = new Set(['not_found', 'conflict', 'invalid']);

export interface UnitOfWrite {
  /** Runs work in the call's one transaction, which opens with the first work and ends with the call. */
  run<Result>(work: (tx: AccountWriter) => Promise<Result>): Promise<Result>;
  /** Ends the transaction as the call ended. Throws what a failed commit throws. */
  end(result: { ok: true; data: unknown } | { ok: false; error: unknown }): Promise<void>;
}

/**
 * The transaction of one write. It stays open until the answer is known, so that an answer that must be kept is committed
 * with the work; nothing slow happens in between, since a handler only shapes what it has (hundreds of rows in turns with the
 * work of others).
 */
export function createUnitOfWrite(
  { database, now, once, reply }: RequestContext,
  accountId: string,
): UnitOfWrite {
  let open: OpenTransaction | undefined;
  let tx: AccountWriter | undefined;

  // Of the work only: when it is taken back and its refusal is committed, none of it may happen.
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
      charge: (cpuMs) => begun.charge(cpuMs),
    };
    if (once) await Promise.all([once.claim(writer), writer.query({ text: 'savepoint work' }, [])]);
    // Only now: a claim that was refused leaves nothing to keep an answer for.
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
    async run(work) {
      return work(tx ?? (await begin()));
    },
    async end(result) {
      if (!open) return;
      try {
        if (result.ok) {
          if (once && tx) once.keep(tx, { ok: true, data: result.data, reply });
          for (const write of deferred) open.defer(...write);
          for (const callback of callbacks) open.afterCommit(callback);
          await open.commit();
        } else if (once && tx && keptRefusals.has(errorOf(result.error).kind)) {
          await keepRefusal(tx, errorOf(result.error));
        }
      } finally {
        await open.rollback();
      }
    },
  };
}
