import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { createCoalescer } from './coalescer.ts';

/** Workers listen here; a notification carries nothing. */
export const dueChannel = 'deliveries_due';

export interface Wake {
  /**
   * Says, after a commit, that something is due. Calls within 10 ms are one notification. Returns at once and never throws:
   * a wake-up can get lost with its process, and a worker's sweep then finds what it announced.
   */
  (): void;
  /** Sends what still waits. Later calls are ignored. */
  close(): Promise<void>;
}

// The disk is not waited for: a notification makes a transaction of its own, and a crash that takes it with it costs nothing.
const notify = {
  name: 'deliveries.wake',
  text: `select set_config('synchronous_commit', 'off', true), pg_notify('${dueChannel}', '')`,
};

/** Tells all workers at once, outside of any transaction: NOTIFY makes commits wait for each other. */
export function createWake(pool: Database['pool'], log: Log): Wake {
  const coalescer = createCoalescer({
    send: async () => void (await pool.query(notify)),
    onError: (error) => log.error({ err: error }, 'A wake-up was lost; the sweep will find its work'),
  });
  return Object.assign(() => coalescer.call(), { close: () => coalescer.close() });
}
