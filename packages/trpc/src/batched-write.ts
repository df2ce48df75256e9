// Writes that calls of one account make together. A call that finds no other under way starts at once, in a transaction of its own.
// The calls that come meanwhile are the next batch, which is one transaction. They are committed together: when the batch fails, each of
// them runs again in a transaction of its own, so that the fault of one call never refuses another.
import {
  accountWriter,
  type AccountDatabase,
  type AccountWriter,
  type OpenTransaction,
} from '@service/database';
import { AppError, commonErrors } from '@service/errors';
import type { AnsweredRequest, RequestContext } from './context.ts';

/** A write that several calls can make in one transaction. */
export interface BatchedWork<Input, Result> {
  /** Calls with the same key, such as those of one webinar, wait for each other and form batches. */
  keyOf(input: Input): string;
  /**
   * Returns for each input, in order, its result, or the error that refused it. It has written nothing for a refused input. It throws
   * when it can refuse no single one.
   */
  run(tx: AccountWriter, inputs: readonly Input[]): Promise<readonly (Result | AppError)[]>;
}

export interface BatchedWrite<Input, Result> extends BatchedWork<Input, Result> {
  /** Waits for a turn. The caller must end it. Throws service_busy after a long wait, or when too many calls wait. */
  enter(call: Call<Input>): Promise<Turn<Result>>;
}

type Call<Input> = Pick<RequestContext, 'now' | 'once'> & {
  accountId: string;
  database: AccountDatabase;
  input: Input;
};

/** The call runs alone, or the batch has done its work. */
export type Turn<Result> = AloneTurn | BatchTurn<Result>;

export interface AloneTurn {
  kind: 'alone';
  end(): void;
}

export interface BatchTurn<Result> {
  kind: 'batch';
  tx: AccountWriter;
  outcome: Result | AppError;
  /**
   * Waits for the other calls and the commit. Returns true if the batch was committed; otherwise the calls that have not failed run
   * again. Throws outcome_unknown.
   */
  end(ended: EndedCall): Promise<boolean>;
}

interface EndedCall {
  /** The call has failed, so the batch is rolled back. */
  isFailed: boolean;
  /** The answer that is kept for the idempotency key of the call. */
  kept: AnsweredRequest | undefined;
}

const batchMax = 50;
/** The same limits as of calls that wait for a connection. */
const waitingMax = 1000;
const waitMaxMs = 5000;

interface Waiting<Input, Result> {
  call: Call<Input>;
  admit(turn: Turn<Result>): void;
  refuse(error: unknown): void;
  timer: NodeJS.Timeout;
}

export function createBatchedWrite<Input, Result>(
  work: BatchedWork<Input, Result>,
): BatchedWrite<Input, Result> {
  /** The waiting calls by key, for each key with calls under way. */
  const queues = new Map<string, Waiting<Input, Result>[]>();

  function startNext(key: string): void {
    const waiting = queues.get(key)!;
    if (waiting.length === 0) return void queues.delete(key);
    const batch = takeBatch(waiting);
    const end = () => startNext(key);
    if (batch.length === 1) batch[0]!.admit({ kind: 'alone', end });
    else void runBatch(work, batch).then(end);
  }

  return {
    ...work,
    async enter(call) {
      const key = `${call.accountId} ${work.keyOf(call.input)}`;
      const queue = queues.get(key);
      if (!queue) {
        queues.set(key, []);
        return { kind: 'alone', end: () => startNext(key) };
      }
      if (queue.length >= waitingMax) throw busy();
      return new Promise((resolve, reject) => {
        const waiting: Waiting<Input, Result> = {
          call,
          admit: resolve,
          refuse: reject,
          timer: setTimeout(() => {
            queue.splice(queue.indexOf(waiting), 1);
            reject(busy());
          }, waitMaxMs),
        };
        queue.push(waiting);
      });
    },
  };
}

const busy = () => commonErrors.service_busy({ retryAfterSeconds: Math.ceil(waitMaxMs / 1000) });

/** Takes the next calls in their order, of those with the same idempotency key the first: the others get its answer later. */
function takeBatch<Input, Result>(waiting: Waiting<Input, Result>[]): Waiting<Input, Result>[] {
  const batch: Waiting<Input, Result>[] = [];
  const later: Waiting<Input, Result>[] = [];
  const keys = new Set<string>();
  for (const one of waiting) {
    const key = one.call.once?.request.key;
    if (batch.length === batchMax || (key !== undefined && keys.has(key))) later.push(one);
    else {
      if (key !== undefined) keys.add(key);
      clearTimeout(one.timer);
      batch.push(one);
    }
  }
  waiting.splice(0, waiting.length, ...later);
  return batch;
}

/** Runs a batch and admits its calls. Resolves when all of them have ended or run alone. Never throws. */
async function runBatch<Input, Result>(
  { run }: BatchedWork<Input, Result>,
  batch: readonly Waiting<Input, Result>[],
): Promise<void> {
  let open: OpenTransaction | undefined;
  let calls = batch;
  try {
    const { database, accountId } = batch[0]!.call;
    open = await database.begin();
    const now = batch.map(({ call }) => call.now).reduce((latest, one) => (one > latest ? one : latest));
    const tx = accountWriter(open, { accountId, now });
    calls = await claimKeys(tx, batch);
    if (calls.length === 0) return await open.rollback();
    const outcomes = await run(
      tx,
      calls.map(({ call }) => call.input),
    );
    await commitTogether(
      open,
      tx,
      calls.map((one, index) => ({ ...one, outcome: outcomes[index]! })),
    );
  } catch (error) {
    await open?.rollback();
    if (!open) for (const { refuse } of calls) refuse(error);
    else await runAlone(calls);
  }
}

/** Claims the idempotency keys of the calls. Calls that are answered by a kept answer or refused are left out. */
async function claimKeys<Input, Result>(
  tx: AccountWriter,
  batch: readonly Waiting<Input, Result>[],
): Promise<readonly Waiting<Input, Result>[]> {
  const keyed = batch.flatMap((one) => (one.call.once ? [{ ...one, once: one.call.once }] : []));
  if (keyed.length === 0) return batch;
  const requests = keyed.map(({ once }) => once.request);
  const claims = await keyed[0]!.once.claims.claim(tx, requests);
  const gone = new Set<Call<Input>>();
  for (const [index, claim] of claims.entries()) {
    if (!claim) continue;
    const { call, once, refuse } = keyed[index]!;
    if (claim instanceof AppError) refuse(claim);
    else once.replay(claim);
    gone.add(call);
  }
  return batch.filter(({ call }) => !gone.has(call));
}

/** Admits the calls and waits until each has shaped its answer, then commits. */
async function commitTogether<Input, Result>(
  open: OpenTransaction,
  tx: AccountWriter,
  calls: readonly (Waiting<Input, Result> & { outcome: Result | AppError })[],
): Promise<void> {
  const committed = Promise.withResolvers<boolean>();
  // Every call gets its failure. Without a call nothing else would.
  committed.promise.catch(() => undefined);
  // Refusals wait for the commit too: when the batch is rolled back, the place that a call lacked may be free again.
  const ends = calls.map(({ admit, outcome }) => {
    const { promise, resolve } = Promise.withResolvers<EndedCall>();
    const end = (ended: EndedCall): Promise<boolean> => {
      resolve(ended);
      return committed.promise;
    };
    admit({ kind: 'batch', tx, outcome, end });
    return promise;
  });
  const ended = await Promise.all(ends);
  const isFailed = ended.some((one) => one.isFailed);
  const kept = ended.flatMap((one) => one.kept ?? []);
  const claims = calls.find(({ call }) => call.once)?.call.once!.claims;
  try {
    if (kept.length > 0) claims!.keep(tx, kept);
    if (isFailed) await open.rollback();
    else await open.commit();
    committed.resolve(!isFailed);
  } catch (error) {
    await open.rollback();
    if (error instanceof AppError) committed.reject(error);
    else committed.resolve(false);
  }
}

/** Each call runs in a transaction of its own, because their batch failed. */
async function runAlone(calls: readonly Waiting<unknown, unknown>[]): Promise<void> {
  await Promise.all(
    calls.map(({ admit }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      admit({ kind: 'alone', end: resolve });
      return promise;
    }),
  );
}
