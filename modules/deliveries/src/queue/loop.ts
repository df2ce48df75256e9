/** Work that is done again and again while there is a reason, never twice at once. */
export interface Loop {
  /** Begins if there is a reason. Returns at once; never throws. */
  kick(): void;
  /** Resolves when it has come to rest. */
  settled(): Promise<void>;
}

interface LoopOptions {
  hasReason(): boolean;
  work(): Promise<void>;
  /** The loop comes to rest until it is kicked again. */
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
      // Only with a reason: run would otherwise be over before it is assigned here.
      if (running === undefined && hasReason()) running = run();
    },
    async settled() {
      await running;
    },
  };
}
