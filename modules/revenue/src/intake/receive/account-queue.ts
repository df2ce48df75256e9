// Events of one account that arrive together are stored in one transaction. One batch of an account runs at a time, and an account has
// a limited number of waiting events. Accounts do not wait for each other here: a batch may wait for seconds until its account is
// within its share of the CPU. They take turns at the gate in front of the connections, as all calls do.
import { isCancelled, isLockRefusal, isUnreachable, isWriteRefusal } from '@service/database';
import { AppError } from '@service/errors';
import { revenueErrors } from '../../errors.ts';

interface QueueOptions<Item, Result> {
  /** Handles items of one account. Returns a result for each, in their order. */
  run(accountId: string, items: readonly Item[]): Promise<readonly Result[]>;
  /** Bytes of memory that an item keeps while it waits. */
  bytesOf(item: Item): number;
  /** Items in one batch. */
  batchMax?: number;
  /** Items of one account that wait. */
  itemsMax?: number;
  /** Bytes of one account that wait. */
  bytesMax?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** The items of one account that wait or run. */
interface Line<Item, Result> {
  waiting: Waiting<Item, Result>[];
  bytes: number;
  /** Resolves when no item is left. */
  done: Promise<void>;
}

export function createAccountQueue<Item, Result>({
  run,
  bytesOf,
  batchMax = 200,
  itemsMax = 1000,
  bytesMax = 8 * 1024 * 1024,
}: QueueOptions<Item, Result>) {
  const lines = new Map<string, Line<Item, Result>>();

  const runBatch = async (accountId: string, batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(
        accountId,
        batch.map(({ item }) => item),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      if (batch.length > 1 && !isTemporary(error)) return runHalves(accountId, batch);
      for (const { reject } of batch) reject(error);
    }
  };

  /** One item that fails must not fail the others. */
  const runHalves = async (accountId: string, batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    const middle = Math.ceil(batch.length / 2);
    await runBatch(accountId, batch.slice(0, middle));
    await runBatch(accountId, batch.slice(middle));
  };

  const runAll = async (accountId: string, line: Line<Item, Result>): Promise<void> => {
    while (line.waiting.length > 0) {
      const batch = line.waiting.splice(0, batchMax);
      await runBatch(accountId, batch);
      for (const { item } of batch) line.bytes -= bytesOf(item);
    }
    lines.delete(accountId);
  };

  return {
    /** Resolves when the transaction of the item is committed. Throws revenue_rate_limited when too many items wait. */
    add(accountId: string, item: Item): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const known = lines.get(accountId);
      const line = known ?? { waiting: [], bytes: 0, done: Promise.resolve() };
      const bytes = bytesOf(item);
      if (line.waiting.length >= itemsMax || (line.bytes > 0 && line.bytes + bytes > bytesMax))
        throw revenueErrors.revenue_rate_limited({ retryAfterSeconds: 1 });
      line.waiting.push({ item, resolve, reject });
      line.bytes += bytes;
      if (!known) {
        lines.set(accountId, line);
        line.done = runAll(accountId, line);
      }
      return promise;
    },
    /** Waits until all items are handled. */
    async drain(): Promise<void> {
      while (lines.size > 0) await Promise.all([...lines.values()].map(({ done }) => done));
    },
  };
}

/** A failure that is not of an item. Another try here would make all items of the account wait as long again. */
const isTemporary = (error: unknown): boolean =>
  [isUnreachable, isCancelled, isLockRefusal, isWriteRefusal].some((is) => is(error)) ||
  (error instanceof AppError && error.kind === 'unavailable');
