interface GatherOptions<Item> {
  /** Must not throw. It reports errors to each item itself. */
  run(items: readonly Item[]): Promise<void>;
  /** The first item of a batch waits this long for others. */
  waitMs: number;
  batchMax: number;
  /** Concurrent batches. */
  batches: number;
  /** Limit of waiting items. */
  waitingMax: number;
  /** Groups take turns, so that a group with many items does not delay the others. By default all items are one group. */
  groupOf?: (item: Item) => string;
}

export interface Gathering<Item> {
  /** Returns false if too many items wait. */
  add(item: Item): boolean;
  /** Waits until all added items are done. */
  drain(): Promise<void>;
}

/** Runs items that arrive one by one in batches. Items that arrive during a batch wait for the next one. */
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
    // Adds the group behind the others. A for-of loop over a Map also visits entries that are added during the loop.
    if (items.length > 0) groups.set(group, items);
    if (taken.length === count) break;
  }
  return taken;
}
