import { createBatcher } from '@service/background';

interface BatchOptions<Request> {
  /** Requests in one statement. */
  batchMax: number;
  /** Statements of several groups under way at once. As many again may be under way for groups that may be locked. */
  concurrency: number;
  /** Requests of one group need the same row. When it is locked, all of them wait. */
  groupOf(request: Request): string;
  /** True for the error of a batch in which a row was locked. */
  isLockRefusal(error: unknown): boolean;
  /** A locked group is tried again after this time, in milliseconds. */
  retryMs: number;
  /** A request that has waited for a lock for this time fails, in milliseconds. */
  waitMaxMs: number;
}

interface Waiting<Request, Result> {
  request: Request;
  group: string;
  sinceMs: number;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/** A group with a row that may be locked. */
interface Suspect<Request, Result> {
  name: string;
  waiting: Waiting<Request, Result>[];
}

/**
 * Sends requests in batches. The first request starts at once; the requests that arrive while `concurrency` batches are under
 * way start together after one of them. Groups take turns, so a flood of one group delays only itself. `send` returns its results
 * in the order of the requests; an error rejects the whole batch. After a lock refusal the groups of that batch are sent one by
 * one: the locked group waits until its row is free, and the others go on together.
 */
export function batchRequests<Request, Result>(
  options: BatchOptions<Request>,
  send: (requests: readonly Request[]) => Promise<readonly Result[]>,
): (request: Request) => Promise<Result> {
  const { batchMax, concurrency, groupOf, isLockRefusal, retryMs, waitMaxMs } = options;
  const suspects = new Map<string, Suspect<Request, Result>>();

  const shared = createBatcher<Waiting<Request, Result>>({
    batchMax,
    concurrency,
    groupOf: ({ group }) => group,
    async run(batch) {
      try {
        await sendAndResolve(batch);
      } catch (error) {
        if (isLockRefusal(error)) suspectGroups(batch);
        else for (const { reject } of batch) reject(error);
      }
    },
  });

  const alone = createBatcher<Suspect<Request, Result>>({
    batchMax: 1,
    concurrency,
    run: async ([suspect]) => sendAlone(suspect!),
  });

  async function sendAndResolve(batch: readonly Waiting<Request, Result>[]): Promise<void> {
    const results = await send(batch.map(({ request }) => request));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
  }

  function suspectGroups(batch: readonly Waiting<Request, Result>[]): void {
    for (const [name, own] of Map.groupBy(batch, ({ group }) => group)) {
      const known = suspects.get(name);
      const suspect = known ?? { name, waiting: [] };
      suspect.waiting.unshift(...own, ...shared.withdraw(name));
      if (known) continue;
      suspects.set(name, suspect);
      alone.add(suspect);
    }
  }

  async function sendAlone(suspect: Suspect<Request, Result>): Promise<void> {
    const batch = suspect.waiting.splice(0, batchMax);
    try {
      await sendAndResolve(batch);
    } catch (error) {
      if (isLockRefusal(error)) return retryLater(suspect, batch, error);
      for (const { reject } of batch) reject(error);
    }
    suspects.delete(suspect.name);
    for (const waiting of suspect.waiting) shared.add(waiting);
  }

  function retryLater(
    suspect: Suspect<Request, Result>,
    batch: readonly Waiting<Request, Result>[],
    error: unknown,
  ): void {
    const nowMs = performance.now();
    const [late, inTime] = partition(batch, ({ sinceMs }) => nowMs - sinceMs >= waitMaxMs);
    for (const { reject } of late) reject(error);
    suspect.waiting.unshift(...inTime);
    if (suspect.waiting.length > 0) setTimeout(() => alone.add(suspect), retryMs);
    else suspects.delete(suspect.name);
  }

  return (request) =>
    new Promise((resolve, reject) => {
      const group = groupOf(request);
      const waiting = { request, group, sinceMs: performance.now(), resolve, reject };
      const suspect = suspects.get(group);
      if (suspect) suspect.waiting.push(waiting);
      else shared.add(waiting);
    });
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
