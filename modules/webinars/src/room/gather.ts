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
}

export interface Gathering<Item> {
  /** False when too many wait already. */
  add(item: Item): boolean;
  /** Waits until all that was added is done. */
  drain(): Promise<void>;
}

/** Does things together that come one by one: what comes while batches are under way waits for the next one. */
export function createGathering<Item>(options: GatherOptions<Item>): Gathering<Item> {
  const { run, waitMs, batchMax, batches, waitingMax } = options;
  const waiting: Item[] = [];
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  let drained: (() => void) | undefined;

  const isIdle = (): boolean => running === 0 && waiting.length === 0;

  const start = (): void => {
    timer = undefined;
    while (running < batches && waiting.length > 0) {
      running += 1;
      void run(waiting.splice(0, batchMax)).finally(() => {
        running -= 1;
        if (isIdle()) drained?.();
        else gather();
      });
    }
  };

  const gather = (): void => {
    if (waiting.length === 0 || running >= batches) return;
    if (waiting.length >= batchMax) start();
    else timer ??= setTimeout(start, waitMs);
  };

  return {
    add(item) {
      if (waiting.length >= waitingMax) return false;
      waiting.push(item);
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
