interface CoalescerOptions {
  send(): Promise<void>;
  onError(error: unknown): void;
  /** Least time between two sends. */
  gapMs?: number;
}

/**
 * Sends for the first call at once, and for all that come within the next `gapMs` (or while it is under way) once more after
 * it. So whatever a caller did before its call is always followed by a send.
 */
export function createCoalescer({ send, onError, gapMs = 10 }: CoalescerOptions) {
  let again = false;
  let sending: Promise<void> | undefined;
  let endGap: (() => void) | undefined;
  let closed = false;

  const waitGap = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, closed ? 0 : gapMs);
      endGap = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const sendAll = async (): Promise<void> => {
    while (again) {
      again = false;
      const gap = waitGap();
      try {
        await send();
      } catch (error) {
        onError(error);
      }
      await gap;
    }
    sending = undefined;
  };

  return {
    call(): void {
      if (closed) return;
      again = true;
      sending ??= sendAll();
    },
    /** Sends what still waits, without waiting for the gap. */
    async close(): Promise<void> {
      closed = true;
      endGap?.();
      await sending;
    },
  };
}
