// The feed of a session: messages, poll results and the progress of an API-controlled session. A process reads a session once for
// all its listeners, at most every 250 ms after notifications, and every few seconds in case a notification was lost. The account
// of the session is charged with the time on the thread.
import { createBatcher, createLoader } from '@service/background';
import { type Database, listenFor, statement, threadCpuMs } from '@service/database';
import type { Log } from '@service/log';
import { attendeeErrors } from '../errors.ts';
import { type FeedPage, type FeedSnapshot, type Message, pageOf, parseCursor } from './feed-snapshot.ts';
import { loadOwnMessages } from './load-feeds.ts';
import { createRefresher, type WatchedSession } from './refresh-feeds.ts';
import type { RoomIdentity } from './room.ts';

export interface RoomFeed {
  announce: Announce;
  /**
   * One page, for clients that poll. The first page has the newest 50 messages and the current polls and progress. Later pages,
   * with the previous cursor as `since`, have new content, at most the newest 100 messages. They start two seconds before the
   * cursor, because messages of other processes can become visible late, so clients must drop messages whose ids they know. An
   * invalid `since` counts as missing.
   */
  read(identity: RoomIdentity, since?: string): Promise<FeedPage>;
  /** Calls `onPage` with the page of `read`, and then with new content, each item once. Call the returned function to stop. */
  subscribe(identity: RoomIdentity, options: SubscribeOptions): Promise<() => void>;
  /** Sends the waiting notifications and stops listening. */
  close(): Promise<void>;
}

interface SubscribeOptions {
  since?: string;
  /** Must not throw. Listeners with the same content get the same object. */
  onPage: (page: FeedPage) => void;
}

interface FeedOptions {
  database: Pick<Database, 'query' | 'connect' | 'ofAccount'>;
  log: Log;
  /** For tests. By default the time of the database. */
  now?: (() => Date) | undefined;
  /** Time between two polls of a session without notifications. */
  lookEveryMs?: number;
}

interface OpenRoom extends WatchedSession {
  /** Number of calls that wait for a page. */
  waiting: number;
  askedAtMs: number;
}

/** A session is polled for this time after the last call. */
const rememberMs = 15_000;

/** Attendees of private chats whose messages are read together, and those that wait. */
const ownBatchMax = 10;
const waitingMax = 10_000;
const ownWaitMs = 2;

/** Creates the feed of a process. It connects when the first session is read. */
export function createRoomFeed({ database, log, now, lookEveryMs = 5000 }: FeedOptions): RoomFeed {
  const announcer = createAnnouncer(database, log);
  const refresher = createRefresher({ database, log, now });
  const rooms = new Map<string, OpenRoom>();
  let stop: (() => Promise<void>) | undefined;

  const start = (): typeof stop => {
    const refreshAll = (): void => {
      for (const room of rooms.values()) void refresher.refresh(room);
    };
    const timer = setInterval(() => {
      for (const [key, room] of rooms) if (isForgotten(room)) rooms.delete(key);
      refreshAll();
    }, lookEveryMs);
    const listener = listenFor({
      database,
      channel: roomChannel,
      onPayload(payload) {
        for (const room of keysIn(payload).map((key) => rooms.get(key)))
          if (room) void refresher.refresh(room);
      },
      onConnected: refreshAll,
      onError: (error) => log.warn({ err: error }, 'Lost the LISTEN connection for rooms; connecting again'),
    });
    return async () => {
      clearInterval(timer);
      await listener.stop();
    };
  };

  const roomOf = ({ accountId, sessionId, webinarId }: RoomIdentity): OpenRoom => {
    stop ??= start();
    const key = sessionKey(accountId, sessionId);
    const room = rooms.get(key) ?? createOpenRoom({ accountId, sessionId, webinarId });
    rooms.set(key, room);
    return room;
  };

  const ownMessages = createLoader<RoomIdentity, Message[]>({
    load: (identities) => loadOwnMessages(database.query, identities),
    refuse: () => attendeeErrors.room_busy({ retryAfterSeconds: 5 }),
    groupOf: ({ accountId }) => accountId,
    batchMax: ownBatchMax,
    waitingMax,
    waitMs: ownWaitMs,
  });

  /** Waits until a first page can be made. It may lack what the next tick of the session brings. */
  const open = async (identity: RoomIdentity): Promise<{ room: OpenRoom; own: Message[] }> => {
    const room = roomOf(identity);
    room.waiting += 1;
    room.askedAtMs = performance.now();
    try {
      const own = identity.chatMode === 'private' ? await ownMessages.load(identity) : [];
      if (!room.snapshot) await refresher.refresh(room);
      return { room, own };
    } finally {
      room.waiting -= 1;
    }
  };

  /** Does work for an account and charges it. */
  const charged = <Result>({ accountId }: RoomIdentity, work: () => Result): Result => {
    const beganAtMs = threadCpuMs();
    const result = work();
    database.ofAccount(accountId).charge(threadCpuMs() - beganAtMs);
    return result;
  };

  return {
    announce: (accountId, sessionId) => announcer.announce(sessionKey(accountId, sessionId)),
    async read(identity, since) {
      const { room, own } = await open(identity);
      return charged(identity, () => pageOf(room.snapshot!, { identity, since: cursorOf(since), own }));
    },
    async subscribe(identity, { since, onPage }) {
      const { room, own } = await open(identity);
      return charged(identity, () => {
        // In one go with the page: no update comes in between.
        const snapshot = room.snapshot!;
        const listener = { identity, onPage, known: idsBeyond(snapshot, own) };
        room.listeners.add(listener);
        onPage(pageOf(snapshot, { identity, since: cursorOf(since), own }));
        return () => void room.listeners.delete(listener);
      });
    },
    async close() {
      await Promise.all([announcer.close(), stop?.()]);
      rooms.clear();
      await Promise.all([refresher.close(), ownMessages.drain()]);
    },
  };
}

const createOpenRoom = (session: Pick<OpenRoom, 'accountId' | 'sessionId' | 'webinarId'>): OpenRoom => ({
  ...session,
  snapshot: undefined,
  listeners: new Set(),
  next: undefined,
  isTicking: false,
  readyAtMs: 0,
  waiting: 0,
  askedAtMs: 0,
});

/** An invalid cursor counts as missing. */
const cursorOf = (since: string | undefined) => (since === undefined ? undefined : parseCursor(since));

/** The ids of own messages that the snapshot does not contain. */
function idsBeyond({ messages }: FeedSnapshot, own: readonly Message[]): ReadonlySet<string> {
  const kept = new Set(own.length === 0 ? [] : messages.map(({ id }) => id));
  return new Set(own.flatMap(({ id }) => (kept.has(id) ? [] : id)));
}

const isForgotten = ({ waiting, listeners, askedAtMs }: OpenRoom): boolean =>
  waiting === 0 && listeners.size === 0 && performance.now() - askedAtMs > rememberMs;

/** Notifies all processes, after a commit, that the feed of a session changed. Returns at once and never throws. */
export type Announce = (accountId: string, sessionId: string) => void;

/** LISTEN channel of processes with an open room. The payload is a list of session keys, separated by spaces. */
const roomChannel = 'webinars_room';

/** The key of a session: `account/session`. */
export const sessionKey = (accountId: string, sessionId: string): string => `${accountId}/${sessionId}`;

/** A key has 73 characters, and a payload less than 8000 bytes (https://www.postgresql.org/docs/current/sql-notify.html). */
const keysMax = 100;

/** The first key of a batch waits this long for others. */
const waitMs = 10;
const keysWaitingMax = 20_000;

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
function createAnnouncer({ query }: Pick<Database, 'query'>, log: Log) {
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
    waitingMax: keysWaitingMax,
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
