interface GatherOptions<Item> {
  /** Must not throw: each item has its own way to be told. */
  run(items: readonly Item[]): Promise<void>;
  /** How long the first one waits for others. */
  waitMs: number;
  batchMax: number;
  /** Batches under way at once. */
  batches: number;
  /** Items that may wait. */
  waitingMax: number;
  /** Items of different groups take turns: one with many of them does not keep up the others. Left out: first come, first. */
  groupOf?: (item: Item) => string;
}

export interface Gathering<Item> {
  /** False when too many wait already. */
  add(item: Item): boolean;
  /** Waits until all that was added is done. */
  drain(): Promise<void>;
}

/** Does things together that come one by one: what comes while batches are under way waits for the next one. */
export function createGathering<Item>(options: GatherOptions<Item>): Gathering<Item> {
  const { run, waitMs, batchMax, batches, waitingMax, groupOf = () => '' } = options;
  const groups = new Map<string, Item[]>();
  let waiting = 0;
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  let drained: (() => void) | undefined;

  const isIdle = (): boolean => running === 0 && waiting === 0;

  const start = (): void => {
    timer = undefined;
    while (running < batches && waiting > 0) {
      running += 1;
      const batch = takeInTurn(groups, batchMax);
      waiting -= batch.length;
      void run(batch).finally(() => {
        running -= 1;
        if (isIdle()) drained?.();
        else gather();
      });
    }
  };

  const gather = (): void => {
    if (waiting === 0 || running >= batches) return;
    if (waiting >= batchMax) start();
    else timer ??= setTimeout(start, waitMs);
  };

  return {
    add(item) {
      if (waiting >= waitingMax) return false;
      const group = groupOf(item);
      const items = groups.get(group);
      if (items) items.push(item);
      else groups.set(group, [item]);
      waiting += 1;
      gather();
      return true;
    },
    async drain() {
      if (isIdle()) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      drained = resolve;
      await promise;
    },
  };
}

function takeInTurn<Item>(groups: Map<string, Item[]>, count: number): Item[] {
  const taken: Item[] = [];
  for (const [group, items] of groups) {
    taken.push(items.shift()!);
    groups.delete(group);
    // Behind the others: a Map goes on to what is added while it is gone through.
    if (items.length > 0) groups.set(group, items);
    if (taken.length === count) break;
  }
  return taken;
}
