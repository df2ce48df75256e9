import type { Topic } from '@service/catalogue';
import { statement, type Database } from '@service/database';
import type { Log } from '@service/log';
import {
  addChange,
  addChanges,
  changesChannel,
  payloadsOf,
  type AccountChanges,
  type Changed,
} from './changed.ts';

export interface ChangeAnnouncer {
  /**
   * Announces, after a commit, that records of a topic changed. Without a webinar it means any webinar. Returns at once and
   * never throws.
   */
  announce(accountId: string, topic: Topic, webinarId?: string): void;
  /** Sends the changes that wait. Later ones are ignored. */
  close(): Promise<void>;
}

interface AnnouncerOptions {
  database: Pick<Database, 'query'>;
  log: Log;
  /** The least time between two notifications of this process. */
  gapMs?: number;
}

/** The first change waits this long for others. */
const gatherMs = 10;

/** After a failure the changes wait longer. */
const retryMs = 2000;

/** Accounts that wait at once. With more, one notification says that everything may have changed. */
const accountsMax = 5000;

// Not flushed to disk: a notification is a transaction of its own.
const notify = statement({
  name: 'changes.announce',
  text: `
    select set_config('synchronous_commit', 'off', true), pg_notify('${changesChannel}', payload)
    from unnest($1::text[]) as payload`,
});

/**
 * Announces changes to the processes with open streams. Changes are collected, and sent outside of the transactions that made
 * them, because NOTIFY makes commits wait for each other.
 */
export function createChangeAnnouncer({ database, log, gapMs = 250 }: AnnouncerOptions): ChangeAnnouncer {
  let waiting = new Map<string, Changed>();
  let isEverything = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let nextAtMs = 0;
  let isFailing = false;
  let isClosed = false;

  const sendLater = (): void => {
    if (sending || isClosed) return;
    timer ??= setTimeout(send, Math.max(gatherMs, nextAtMs - performance.now()));
  };

  const add = (accountId: string): Changed => {
    const known = waiting.get(accountId);
    if (known) return known;
    const changed: Changed = {};
    if (waiting.size < accountsMax) waiting.set(accountId, changed);
    else isEverything = true;
    return changed;
  };

  const take = (): AccountChanges => {
    const taken = isEverything ? 'everything' : waiting;
    waiting = new Map();
    isEverything = false;
    return taken;
  };

  const giveBack = (changes: AccountChanges): void => {
    if (changes === 'everything') isEverything = true;
    else for (const [accountId, changed] of changes) addChanges(add(accountId), changed);
  };

  const run = async (): Promise<void> => {
    const changes = take();
    try {
      await database.query(notify, [payloadsOf(changes)]);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'Changes could not be announced and are announced later');
      isFailing = true;
      giveBack(changes);
    }
    nextAtMs = performance.now() + (isFailing ? retryMs : gapMs);
  };

  const send = (): void => {
    timer = undefined;
    sending = run().finally(() => {
      sending = undefined;
      if (waiting.size > 0 || isEverything) sendLater();
    });
  };

  return {
    announce(accountId, topic, webinarId) {
      if (isClosed) return;
      addChange(add(accountId), topic, webinarId);
      sendLater();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await sending;
      if (waiting.size > 0 || isEverything) await run();
    },
  };
}
