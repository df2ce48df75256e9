// The feed of a session: messages, poll results and the progress of an API-controlled session. A process reads a session once for
// all its listeners, after a notification, and every few seconds in case a notification was lost.
import { listenFor, type Database } from '@service/database';
import type { Log } from '@service/log';
import { createAnnouncer, keysIn, roomChannel, sessionKey, type Announce } from './announce.ts';
import { pageOf } from './feed-snapshot.ts';
import { parseCursor } from './feed-cursor.ts';
import type { FeedPage } from './feed-item.ts';
import { loadOwnMessages } from './load-feeds.ts';
import { createRefresher, type Listener, type WatchedSession } from './refresh-feeds.ts';
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
  database: Pick<Database, 'query' | 'connect'>;
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

  /** Makes the first page of a call. The snapshot does not change before the caller's next await, so no change is lost. */
  const open = async (
    identity: RoomIdentity,
    since?: string,
  ): Promise<{ room: OpenRoom; page: FeedPage }> => {
    const room = roomOf(identity);
    room.waiting += 1;
    room.askedAtMs = performance.now();
    try {
      const own = identity.chatMode === 'private' ? await loadOwnMessages(database.query, identity) : [];
      // After reading own messages, the feed is read again. It then contains them, so they are not sent a second time.
      if (own.length > 0 || !room.snapshot) await refresher.refresh(room);
      else await (room.next?.promise ?? room.current);
      const cursor = since === undefined ? undefined : parseCursor(since);
      return { room, page: pageOf(room.snapshot!, { identity, since: cursor, own }) };
    } finally {
      room.waiting -= 1;
    }
  };

  return {
    announce: (accountId, sessionId) => announcer.announce(sessionKey(accountId, sessionId)),
    read: async (identity, since) => (await open(identity, since)).page,
    async subscribe(identity, { since, onPage }) {
      const { room, page } = await open(identity, since);
      const listener: Listener = { identity, onPage };
      onPage(page);
      room.listeners.add(listener);
      return () => void room.listeners.delete(listener);
    },
    async close() {
      await Promise.all([announcer.close(), stop?.()]);
      rooms.clear();
      await refresher.close();
    },
  };
}

const createOpenRoom = (session: Pick<OpenRoom, 'accountId' | 'sessionId' | 'webinarId'>): OpenRoom => ({
  ...session,
  snapshot: undefined,
  listeners: new Set(),
  current: undefined,
  next: undefined,
  waiting: 0,
  askedAtMs: 0,
});

const isForgotten = ({ waiting, listeners, askedAtMs }: OpenRoom): boolean =>
  waiting === 0 && listeners.size === 0 && performance.now() - askedAtMs > rememberMs;
