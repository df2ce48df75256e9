interface BatcherOptions<Item> {
  /** Handles one batch. It must not reject: it decides itself what becomes of its items after a failure. */
  run(batch: readonly Item[]): Promise<void>;
  /** Items in one batch. */
  batchMax: number;
  /** Batches under way at once; 1. */
  concurrency?: number;
  /** The first item of a batch waits for others for this time, in milliseconds; 0 starts the batch at once. */
  waitMs?: number;
  /** Items that wait at once. Left out: there is no limit. */
  waitingMax?: number;
  /** Groups take turns within a batch, so that a group with many items does not delay the others. Left out: one group. */
  groupOf?(item: Item): string;
}

export interface Batcher<Item> {
  /** False when `waitingMax` items wait already. The item is then not handled. */
  add(item: Item): boolean;
  /** Removes and returns the items of a group that are in no batch yet. */
  withdraw(group: string): Item[];
  /** Starts the items that wait, and resolves when no item waits or is under way. */
  drain(): Promise<void>;
}

/**
 * Handles items together that arrive one by one. A batch starts when it is full or when its first item has waited for `waitMs`.
 * Items that arrive while `concurrency` batches are under way form the next one.
 */
export function createBatcher<Item>(options: BatcherOptions<Item>): Batcher<Item> {
  const { run, batchMax, concurrency = 1, waitMs = 0, waitingMax = Infinity, groupOf } = options;
  /** In the order of their turns. */
  const groups = new Map<string, Item[]>();
  let waiting = 0;
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  let draining: PromiseWithResolvers<void> | undefined;

  const start = (): void => {
    clearTimeout(timer);
    timer = undefined;
    while (running < concurrency && waiting > 0) {
      const batch = takeInTurns(groups, batchMax);
      waiting -= batch.length;
      running += 1;
      void run(batch).finally(() => {
        running -= 1;
        if (waiting === 0 && running === 0) endDrain();
        else if (draining) start();
        else startWhenDue();
      });
    }
  };

  const startWhenDue = (): void => {
    if (waiting === 0 || running >= concurrency) return;
    if (waitMs === 0 || waiting >= batchMax) start();
    else timer ??= setTimeout(start, waitMs);
  };

  const endDrain = (): void => {
    draining?.resolve();
    draining = undefined;
  };

  return {
    add(item) {
      if (waiting >= waitingMax) return false;
      const group = groupOf?.(item) ?? '';
      const items = groups.get(group);
      if (items) items.push(item);
      else groups.set(group, [item]);
      waiting += 1;
      startWhenDue();
      return true;
    },
    withdraw(group) {
      const items = groups.get(group) ?? [];
      groups.delete(group);
      waiting -= items.length;
      if (waiting === 0 && running === 0) endDrain();
      return items;
    },
    async drain() {
      if (waiting === 0 && running === 0) return;
      draining ??= Promise.withResolvers();
      const { promise } = draining;
      start();
      await promise;
    },
  };
}

/** Takes one item of each group after the other. The next batch begins with the group that has waited longest. */
function takeInTurns<Item>(groups: Map<string, Item[]>, count: number): Item[] {
  const taken: Item[] = [];
  for (const [group, items] of groups) {
    // One group alone is taken in one step: it may have thousands of items.
    const ownCount = groups.size === 1 ? count - taken.length : 1;
    for (const item of items.splice(0, ownCount)) taken.push(item);
    groups.delete(group);
    // The loop reaches this group again: a Map iterates over entries that are added meanwhile.
    if (items.length > 0) groups.set(group, items);
    if (taken.length === count) break;
  }
  return taken;
}
