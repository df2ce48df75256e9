import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { createGathering } from './gather.ts';

/** Says, after a commit, that something in a session changed which others there should see. Returns at once, never throws. */
export type Announce = (accountId: string, sessionId: string) => void;

/** Processes with somebody in a room listen here; the payload is session keys with a space between. */
export const roomChannel = 'webinars_room';

/** `account/session`: by what a process knows a session. */
export const sessionKey = (accountId: string, sessionId: string): string => `${accountId}/${sessionId}`;

/** Of 73 characters each, and a payload has less than 8000 (https://www.postgresql.org/docs/current/sql-notify.html). */
const keysMax = 100;

/** How long the first one waits for others. */
const waitMs = 10;
const waitingMax = 20_000;

// The disk is not waited for: a notification makes a transaction of its own, and one that a crash takes is made up for.
const notify = {
  name: 'attendees.announce',
  text: `
    select set_config('synchronous_commit', 'off', true), pg_notify('${roomChannel}', payload)
    from unnest($1::text[]) as payload`,
};

/**
 * Tells every process, outside of the transactions that changed something: NOTIFY makes commits wait for each other. What is
 * said within a few milliseconds is one statement. One that is lost is made up for by the feed, which looks by itself.
 */
export function createAnnouncer({ query }: Pick<Database, 'query'>, log: Log) {
  const waiting = new Set<string>();

  const send = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) waiting.delete(key);
    try {
      await query(notify, [payloadsOf(keys)]);
    } catch (error) {
      log.warn({ err: error }, 'Rooms were not told that something changed; they will see it a little later');
    }
  };
  const gathering = createGathering<string>({
    run: send,
    waitMs,
    batchMax: keysMax * 10,
    batches: 1,
    waitingMax,
  });

  return {
    announce(key: string): void {
      if (!waiting.has(key) && gathering.add(key)) waiting.add(key);
    },
    /** Sends what still waits. */
    close: () => gathering.drain(),
  };
}

/** Session keys in as few payloads as hold them. */
export const payloadsOf = (keys: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(keys.length / keysMax) }, (_, index) =>
    keys.slice(index * keysMax, (index + 1) * keysMax).join(' '),
  );

export const keysIn = (payload: string): string[] => payload.split(' ');
