import { createBatcher } from '@service/background';
import { statement, type Database } from '@service/database';
import type { Log } from '@service/log';

/** Notifies all processes, after a commit, that the feed of a session changed. Returns at once and never throws. */
export type Announce = (accountId: string, sessionId: string) => void;

/** LISTEN channel of processes with an open room. The payload is a list of session keys, separated by spaces. */
export const roomChannel = 'webinars_room';

/** The key of a session: `account/session`. */
export const sessionKey = (accountId: string, sessionId: string): string => `${accountId}/${sessionId}`;

/** A key has 73 characters, and a payload less than 8000 bytes (https://www.postgresql.org/docs/current/sql-notify.html). */
const keysMax = 100;

/** The first key of a batch waits this long for others. */
const waitMs = 10;
const waitingMax = 20_000;

// Does not wait for the disk: each statement is a transaction of its own, and the feed's polling makes up for a lost
// notification.
const notify = statement({
  name: 'attendees.announce',
  text: `
    select set_config('synchronous_commit', 'off', true), pg_notify('${roomChannel}', payload)
    from unnest($1::text[]) as payload`,
});

/**
 * Sends notifications outside of the transactions that changed something, because NOTIFY makes commits wait for each other. The
 * sessions of 10 ms are one statement. The feed also polls, so a lost notification only delays it.
 */
export function createAnnouncer({ query }: Pick<Database, 'query'>, log: Log) {
  const waiting = new Set<string>();

  const send = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) waiting.delete(key);
    try {
      await query(notify, [payloadsOf(keys)]);
    } catch (error) {
      log.warn({ err: error }, 'Could not notify rooms of a change; their next poll will find it');
    }
  };
  const batcher = createBatcher<string>({
    run: send,
    waitMs,
    batchMax: keysMax * 10,
    waitingMax,
  });

  return {
    announce(key: string): void {
      if (!waiting.has(key) && batcher.add(key)) waiting.add(key);
    },
    /** Sends the waiting keys. */
    close: () => batcher.drain(),
  };
}

/** Splits session keys into as few payloads as possible. */
export const payloadsOf = (keys: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(keys.length / keysMax) }, (_, index) =>
    keys.slice(index * keysMax, (index + 1) * keysMax).join(' '),
  );

export const keysIn = (payload: string): string[] => payload.split(' ');
