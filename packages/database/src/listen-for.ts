import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './open-database.ts';

interface ListenOptions {
  /** All listeners of one database share a connection. */
  database: Pick<Database, 'connect'>;
  channel: string;
  onPayload: (payload: string) => void;
  /** Notifications from before this moment may have been lost. */
  onConnected?: () => void;
  /** Notifications can get lost from now until the next `onConnected`. */
  onLost?: () => void;
  /** The connection was lost or could not be opened. It is opened again. */
  onError: (error: unknown) => void;
}

export interface Listening {
  stop(): Promise<void>;
}

/** A dead connection is found within this time. */
const probeEveryMs = 5000;
const reconnectMinMs = 250;
const reconnectMaxMs = 5000;

interface Listener {
  subscribers: Set<ListenOptions>;
  /** Ends the wait for the next probe, because a subscriber was added or removed. */
  wake: () => void;
  stop: () => Promise<void>;
}

const listeners = new WeakMap<ListenOptions['database'], Listener>();

/**
 * Listens for notifications, and connects again after a loss, until it is stopped. Notifications during a loss are lost, so the
 * caller must also check regularly. The connection is open while anything of the process listens on this database: each process
 * needs a direct connection for it, and Postgres has few of them.
 */
export function listenFor(options: ListenOptions): Listening {
  const { database } = options;
  const listener = listeners.get(database) ?? startListener(database);
  listeners.set(database, listener);
  listener.subscribers.add(options);
  listener.wake();
  return {
    async stop() {
      if (!listener.subscribers.delete(options)) return;
      options.onLost?.();
      if (listener.subscribers.size > 0) return listener.wake();
      listeners.delete(database);
      await listener.stop();
    },
  };
}

function startListener(database: ListenOptions['database']): Listener {
  const subscribers = new Set<ListenOptions>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let woken = new AbortController();
  let waitMs = reconnectMinMs;

  const listenOnce = async (): Promise<void> => {
    const connection = await database.connect();
    const lost = new AbortController();
    const ended = AbortSignal.any([signal, lost.signal]);
    const connected = new Set<ListenOptions>();
    let heard: string[] = [];

    /** Listens to the channels of all subscribers. Repeated, it shows that the connection works. */
    const listen = async (): Promise<void> => {
      const added = [...subscribers].filter((subscriber) => !connected.has(subscriber));
      const channels = [...new Set([...subscribers].map(({ channel }) => channel))];
      const left = heard.filter((channel) => !channels.includes(channel));
      const statements = [
        ...left.map((channel) => `unlisten "${channel}"`),
        ...channels.map((channel) => `listen "${channel}"`),
      ];
      heard = channels;
      await connection.query(statements.join('; '));
      waitMs = reconnectMinMs;
      for (const subscriber of added) {
        if (ended.aborted || !subscribers.has(subscriber)) continue;
        connected.add(subscriber);
        subscriber.onConnected?.();
      }
    };
    const lose = (): void => {
      for (const subscriber of connected) if (subscribers.has(subscriber)) subscriber.onLost?.();
      connected.clear();
      lost.abort();
    };
    try {
      connection.on('end', lose);
      connection.on('notification', ({ channel, payload = '' }) => {
        for (const subscriber of subscribers)
          if (subscriber.channel === channel) subscriber.onPayload(payload);
      });
      while (!ended.aborted) {
        woken = new AbortController();
        await listen();
        const wait = AbortSignal.any([ended, woken.signal]);
        await delay(probeEveryMs, undefined, { signal: wait }).catch(() => undefined);
      }
    } finally {
      lose();
      await connection.end().catch(() => undefined);
    }
  };

  const keepListening = async (): Promise<void> => {
    while (!signal.aborted) {
      await listenOnce().catch((error: unknown) => {
        if (!signal.aborted) for (const subscriber of subscribers) subscriber.onError(error);
      });
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, reconnectMaxMs);
    }
  };

  // After this tick, when its first subscribers are known.
  const listening = Promise.resolve().then(keepListening);
  return {
    subscribers,
    wake: () => woken.abort(),
    async stop() {
      stopping.abort();
      await listening;
    },
  };
}
