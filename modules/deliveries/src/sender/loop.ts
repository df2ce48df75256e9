/** Work that is repeated while there is a reason, never twice at the same time. */
export interface Loop {
  /** Begins if there is a reason. Returns at once; never throws. */
  kick(): void;
  /** Resolves when the loop has stopped. */
  settled(): Promise<void>;
}

interface LoopOptions {
  hasReason(): boolean;
  work(): Promise<void>;
  /** The loop has stopped, until it is kicked again. */
  onError(error: unknown): void;
}

export function createLoop({ hasReason, work, onError }: LoopOptions): Loop {
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    try {
      while (hasReason()) await work();
    } catch (error) {
      onError(error);
    } finally {
      running = undefined;
    }
  };

  return {
    kick() {
      // Without a reason `run` would end before its promise is assigned here, and the loop would look busy for ever.
      if (running === undefined && hasReason()) running = run();
    },
    async settled() {
      await running;
    },
  };
}

export type Signal = ReturnType<typeof createSignal>;

/** Lets several callers wait for the next change. */
export function createSignal() {
  let waiters: (() => void)[] = [];
  return {
    wait: () => new Promise<void>((resolve) => void waiters.push(resolve)),
    notify(): void {
      const woken = waiters;
      waiters = [];
      for (const resolve of woken) resolve();
    },
  };
}
