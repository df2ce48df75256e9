import { topics, type Topic } from '@service/catalogue';
import { databaseTime, listenFor, type Database, type Listening } from '@service/database';
import type { Log } from '@service/log';
import { changesChannel, changesIn, type Changed } from './changed.ts';

/** `everything` when notifications may have been lost. */
export type ChangedOrEverything = Changed | 'everything';

export interface ChangeWatch {
  /** Calls `onChanged` for changes of an account, until the returned function is called. It must not throw. */
  subscribe(accountId: string, onChanged: (changed: ChangedOrEverything) => void): () => void;
  /** Finds the changes of an account since a time of the database. */
  changedSince(accountId: string, since: Date): ChangedOrEverything;
  close(): Promise<void>;
}

interface WatchOptions {
  database: Pick<Database, 'connect'>;
  log: Log;
  /** Accounts whose last changes are known. */
  accountsMax?: number;
}

/** The clocks of two processes may differ by this. */
const marginMs = 2000;

/** Receives the changes that all processes announce, on one connection. */
export function createChangeWatch({ database, log, accountsMax = 5000 }: WatchOptions): ChangeWatch {
  const listeners = new Map<string, Set<(changed: ChangedOrEverything) => void>>();
  /** The last change of each topic. The account that changed last is the last one. */
  const history = new Map<string, Map<Topic, number>>();
  /** Changes before this time may be unknown. */
  let completeFromMs = Number.POSITIVE_INFINITY;

  const remember = (accountId: string, changed: Changed): void => {
    const atMs = databaseTime().getTime();
    const times = history.get(accountId) ?? new Map<Topic, number>();
    for (const topic of topics) if (changed[topic]) times.set(topic, atMs);
    history.delete(accountId);
    history.set(accountId, times);
    if (history.size <= accountsMax) return;
    const [oldest, forgotten] = history.entries().next().value!;
    history.delete(oldest);
    completeFromMs = Math.max(completeFromMs, ...forgotten.values());
  };

  const notifyAll = (): void => {
    history.clear();
    completeFromMs = databaseTime().getTime();
    for (const own of listeners.values()) for (const onChanged of own) onChanged('everything');
  };

  const listening: Listening = listenFor({
    database,
    channel: changesChannel,
    onPayload(payload) {
      const changes = changesIn(payload);
      if (changes === 'everything') return notifyAll();
      for (const [accountId, changed] of changes) {
        remember(accountId, changed);
        for (const onChanged of listeners.get(accountId) ?? []) onChanged(changed);
      }
    },
    onConnected: notifyAll,
    onLost: () => (completeFromMs = Number.POSITIVE_INFINITY),
    onError: (error) => log.warn({ err: error }, 'Lost the LISTEN connection for changes; connecting again'),
  });

  return {
    subscribe(accountId, onChanged) {
      const own = listeners.get(accountId) ?? new Set();
      listeners.set(accountId, own.add(onChanged));
      return () => {
        own.delete(onChanged);
        if (own.size === 0 && listeners.get(accountId) === own) listeners.delete(accountId);
      };
    },
    changedSince(accountId, since) {
      const sinceMs = since.getTime() - marginMs;
      if (sinceMs < completeFromMs) return 'everything';
      const times = history.get(accountId) ?? new Map<Topic, number>();
      return Object.fromEntries(
        [...times].filter(([, atMs]) => atMs >= sinceMs).map(([topic]) => [topic, []]),
      );
    },
    close: () => listening.stop(),
  };
}
