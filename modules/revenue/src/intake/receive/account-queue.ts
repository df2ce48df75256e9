// Events of one account that arrive together are stored in one transaction. One batch of an account runs at a time, accounts take
// turns, and an account has a limited number of waiting events. So the events of one account delay only its own.
import { createBatcher } from '@service/background';
import { isUnreachable } from '@service/database';
import { AppError } from '@service/errors';
import { revenueErrors } from '../../errors.ts';

interface QueueOptions<Item, Result> {
  /** Handles items of one account. Returns a result for each, in their order. */
  run(accountId: string, items: readonly Item[]): Promise<readonly Result[]>;
  /** Bytes of memory that an item keeps while it waits. */
  bytesOf(item: Item): number;
  /** Items in one batch. */
  batchMax?: number;
  /** Accounts whose batches run at once. */
  batchesMax?: number;
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

interface Line<Item, Result> {
  accountId: string;
  waiting: Waiting<Item, Result>[];
  bytes: number;
}

export interface AccountQueue<Item, Result> {
  /** Resolves when the transaction of the item is committed. Throws revenue_rate_limited when too many items wait. */
  add(accountId: string, item: Item): Promise<Result>;
  /** Waits until all items are handled. */
  drain(): Promise<void>;
}

export function createAccountQueue<Item, Result>({
  run,
  bytesOf,
  batchMax = 200,
  batchesMax = 4,
  itemsMax = 1000,
  bytesMax = 8 * 1024 * 1024,
}: QueueOptions<Item, Result>): AccountQueue<Item, Result> {
  /** Accounts with items that wait or run. */
  const lines = new Map<string, Line<Item, Result>>();

  const runBatch = async (accountId: string, batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(
        accountId,
        batch.map(({ item }) => item),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      // One event that Postgres refuses must not fail the others.
      if (batch.length > 1 && !isTemporary(error)) for (const one of batch) await runBatch(accountId, [one]);
      else for (const { reject } of batch) reject(error);
    }
  };

  const takeTurn = async (line: Line<Item, Result>): Promise<void> => {
    const batch = line.waiting.splice(0, batchMax);
    await runBatch(line.accountId, batch);
    for (const { item } of batch) line.bytes -= bytesOf(item);
    if (line.waiting.length > 0) turns.add(line);
    else lines.delete(line.accountId);
  };
  const turns = createBatcher<Line<Item, Result>>({
    batchMax: 1,
    concurrency: batchesMax,
    run: async ([line]) => takeTurn(line!),
  });

  return {
    add(accountId, item) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const known = lines.get(accountId);
      const line = known ?? { accountId, waiting: [], bytes: 0 };
      const bytes = bytesOf(item);
      if (line.waiting.length >= itemsMax || (line.bytes > 0 && line.bytes + bytes > bytesMax))
        throw revenueErrors.revenue_rate_limited({ retryAfterSeconds: 1 });
      line.waiting.push({ item, resolve, reject });
      line.bytes += bytes;
      if (!known) {
        lines.set(accountId, line);
        turns.add(line);
      }
      return promise;
    },
    drain: () => turns.drain(),
  };
}

const isTemporary = (error: unknown): boolean =>
  isUnreachable(error) || (error instanceof AppError && error.kind === 'unavailable');
