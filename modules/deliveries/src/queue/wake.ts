import type { Database } from '@service/database';
import type { Log } from '@service/log';

/** Workers listen on this channel. A notification carries no data. */
export const dueChannel = 'deliveries_due';

export interface Wake {
  /**
   * Announces, after a commit, that something is due. Calls within 10 ms are one notification. Returns at once and never
   * throws: a wake-up can be lost with its process, and the sweep of a worker then finds the deliveries.
   */
  (): void;
  /** Sends a notification that is still waiting. Later calls are ignored. */
  close(): Promise<void>;
}

// Not flushed to disk: a notification makes a transaction of its own, and the sweep makes up for a lost one.
const notify = {
  name: 'deliveries.wake',
  text: `select set_config('synchronous_commit', 'off', true), pg_notify('${dueChannel}', '')`,
};

/** Notifies all workers, outside of any transaction: NOTIFY makes commits wait for each other. */
export function createWake(pool: Database['pool'], log: Log): Wake {
  const coalescer = createCoalescer({
    send: async () => void (await pool.query(notify)),
    onError: (error) => log.error({ err: error }, 'A wake-up was lost; the sweep will find its deliveries'),
  });
  return Object.assign(() => coalescer.call(), { close: () => coalescer.close() });
}

interface CoalescerOptions {
  send(): Promise<void>;
  onError(error: unknown): void;
  /** The least time between two sends. */
  gapMs?: number;
}

/**
 * Sends at once for the first call, and once more for all calls within the next `gapMs` or during the first send. So every call
 * is followed by a send.
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
    async close(): Promise<void> {
      closed = true;
      endGap?.();
      await sending;
    },
  };
}
