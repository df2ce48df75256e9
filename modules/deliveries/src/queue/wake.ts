import { createBatcher } from '@service/background';
import {
  queryOn,
  statement,
  type Database,
  type Query,
  type Statement,
  type Transaction,
} from '@service/database';
import type { Log } from '@service/log';

/** Workers listen on this channel. A notification names the worker that should claim, or is empty for all of them. */
export const dueChannel = 'deliveries_due';

export interface Wake {
  /**
   * Announces, after a commit, that something is due. Calls within 2 ms, or while a notification is sent, are one. Returns at once and never
   * throws: a wake-up can be lost with its process, and the sweep of a worker then finds the deliveries.
   */
  (): void;
  /** The same for the commit of a transaction. The notification follows it over its connection, unless one was sent just before. */
  afterCommitOf(tx: Pick<Transaction, 'followCommit' | 'afterCommit'>): void;
  /** Sends a notification that is still waiting. Later calls are ignored. */
  close(): Promise<void>;
}

// Not flushed to disk: a notification makes a transaction of its own, and the sweep makes up for a lost one.
const notify = (worker: string) =>
  `select set_config('synchronous_commit', 'off', true), pg_notify('${dueChannel}', ${worker})`;

const notifyOne = statement({
  name: 'deliveries.wake',
  text: notify(`coalesce((select number::text from deliveries.worker order by random() limit 1), '')`),
});

const notifyAll = statement({ name: 'deliveries.wake_all', text: notify(`''`) });

/**
 * Notifies one worker, outside of any transaction: NOTIFY makes commits wait for each other. If every worker claimed after every
 * notification, more workers would be more claims and not more deliveries.
 */
export const createWake = (pool: Database['pool'], log: Log): Wake =>
  announce(notifyOne, { query: queryOn(pool), log });

/** Notifies all workers, for a worker that found more than it can take. */
export const createWakeOfAll = (query: Query, log: Log): Wake =>
  announce(notifyAll, { query, log, gapMs: passOnEveryMs });

/** The least time between two notifications of all workers. */
const passOnEveryMs = 100;

function announce(
  notification: Statement,
  { query, log, gapMs = 2 }: { query: Query; log: Log; gapMs?: number },
): Wake {
  let followedAtMs = Number.NEGATIVE_INFINITY;
  /** Transactions whose commit is announced already. */
  const announced = new WeakSet<object>();
  const coalescer = createCoalescer({
    send: async () => void (await query(notification, [])),
    onError: (error) => log.error({ err: error }, 'A wake-up was lost; the sweep will find its deliveries'),
    gapMs,
  });
  const wake = (): void => coalescer.call();
  return Object.assign(wake, {
    afterCommitOf(tx: Pick<Transaction, 'followCommit' | 'afterCommit'>): void {
      if (announced.has(tx)) return;
      announced.add(tx);
      let isSent = false;
      tx.followCommit((behind) => {
        const nowMs = performance.now();
        if (nowMs - followedAtMs < gapMs) return undefined;
        followedAtMs = nowMs;
        isSent = true;
        return behind(notification, []).then(() => undefined, wake);
      });
      tx.afterCommit(() => {
        if (!isSent) wake();
      });
    },
    close: () => coalescer.close(),
  });
}

interface CoalescerOptions {
  send(): Promise<void>;
  onError(error: unknown): void;
  /** The least time between two sends. */
  gapMs: number;
}

/**
 * Sends at once for the first call, and once more for all calls within the next `gapMs` or during the first send. So every call
 * is followed by a send.
 */
export function createCoalescer({ send, onError, gapMs }: CoalescerOptions) {
  let isClosed = false;
  let endGap = (): void => undefined;
  const batcher = createBatcher<undefined>({
    async run() {
      const { promise: gap, resolve } = Promise.withResolvers<void>();
      endGap = resolve;
      const timer = setTimeout(resolve, isClosed ? 0 : gapMs);
      await send().catch(onError);
      await gap;
      clearTimeout(timer);
    },
    batchMax: Number.POSITIVE_INFINITY,
  });
  return {
    call(): void {
      if (!isClosed) batcher.add(undefined);
    },
    async close(): Promise<void> {
      isClosed = true;
      endGap();
      await batcher.drain();
    },
  };
}
