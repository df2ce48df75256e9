import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './open-database.ts';

interface ListenOptions {
  database: Pick<Database, 'connect'>;
  /** A plain identifier. */
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

/**
 * Listens for notifications on a connection of its own, and connects again after a loss, until it is stopped. Notifications during
 * a loss are lost, so the caller must also check regularly.
 */
export function listenFor(options: ListenOptions): Listening {
  const { database, channel, onPayload, onError } = options;
  const { onConnected = () => undefined, onLost = () => undefined } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let waitMs = reconnectMinMs;

  const listenOnce = async (): Promise<void> => {
    const connection = await database.connect();
    const lost = new AbortController();
    const ended = AbortSignal.any([signal, lost.signal]);
    try {
      connection.on('end', () => {
        onLost();
        lost.abort();
      });
      connection.on('notification', ({ payload = '' }) => onPayload(payload));
      await connection.query(`listen ${channel}`);
      waitMs = reconnectMinMs;
      onConnected();
      while (!ended.aborted) {
        await delay(probeEveryMs, undefined, { signal: ended }).catch(() => undefined);
        if (!ended.aborted) await connection.query('select 1');
      }
    } finally {
      onLost();
      await connection.end().catch(() => undefined);
    }
  };

  const keepListening = async (): Promise<void> => {
    while (!signal.aborted) {
      await listenOnce().catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, reconnectMaxMs);
    }
  };

  const listening = keepListening();
  return {
    async stop() {
      stopping.abort();
      await listening;
    },
  };
}
