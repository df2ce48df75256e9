// What everybody in a session sees: messages, polls and where the API has put it. A process looks at a session once for all
// who listen there, when it hears that something changed, and every few seconds because it may have heard nothing.
import { listenFor, type Database } from '@service/database';
import type { Log } from '@service/log';
import { createAnnouncer, keysIn, roomChannel, sessionKey, type Announce } from './announce.ts';
import { pageOf } from './board.ts';
import { parseCursor } from './feed-cursor.ts';
import type { FeedPage } from './feed-item.ts';
import { loadOwnMessages } from './load-boards.ts';
import { createLooker, type Listener, type Watched } from './look.ts';
import type { RoomIdentity } from './room.ts';

export interface RoomFeed {
  announce: Announce;
  /**
   * For who asks every few seconds. The first answer has the newest 50 messages and all else as it is; later ones, with the
   * cursor of the one before as `since`, what is new. They begin two seconds before it, because what another process wrote
   * may show late: whoever asks drops the messages whose ids they have. At most 100 messages, the newest. A `since` that is
   * no cursor counts as none.
   */
  read(identity: RoomIdentity, since?: string): Promise<FeedPage>;
  /**
   * For who stays: `onPage` gets what `read` gives, and from then on what is new, each thing once. Ends with the function
   * that comes back.
   */
  subscribe(identity: RoomIdentity, options: SubscribeOptions): Promise<() => void>;
  /** Says what was not said yet, and hears nothing any more. */
  close(): Promise<void>;
}

interface SubscribeOptions {
  since?: string;
  /** Must not throw. What is the same for many is one object. */
  onPage: (page: FeedPage) => void;
}

interface FeedOptions {
  database: Pick<Database, 'query' | 'connect'>;
  log: Log;
  /** For tests that cannot wait. Left out: the time is the database's. */
  now?: (() => Date) | undefined;
  /** How often a session is looked at of which nothing was heard. */
  lookEveryMs?: number;
}

interface OpenRoom extends Watched {
  /** Calls that wait for it. */
  waiting: number;
  askedAtMs: number;
}

/** How long a session is looked at after somebody has asked for it. */
const rememberMs = 15_000;

/** One for a process. It connects once somebody listens. */
export function createRoomFeed({ database, log, now, lookEveryMs = 5000 }: FeedOptions): RoomFeed {
  const announcer = createAnnouncer(database, log);
  const looker = createLooker({ database, log, now });
  const rooms = new Map<string, OpenRoom>();
  let stop: (() => Promise<void>) | undefined;

  const start = (): typeof stop => {
    const refreshAll = (): void => {
      for (const room of rooms.values()) void looker.refresh(room);
    };
    const timer = setInterval(() => {
      for (const [key, room] of rooms) if (isForgotten(room)) rooms.delete(key);
      refreshAll();
    }, lookEveryMs);
    const listener = listenFor({
      database,
      channel: roomChannel,
      onPayload(payload) {
        for (const room of keysIn(payload).map((key) => rooms.get(key))) if (room) void looker.refresh(room);
      },
      onConnected: refreshAll,
      onError: (error) => log.warn({ err: error }, 'Rooms hear nothing of other processes; connecting again'),
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

  /** What somebody is shown first. Until whoever waits for it waits for something else, nothing more becomes known. */
  const open = async (
    identity: RoomIdentity,
    since?: string,
  ): Promise<{ room: OpenRoom; page: FeedPage }> => {
    const room = roomOf(identity);
    room.waiting += 1;
    room.askedAtMs = performance.now();
    try {
      const own = identity.chatMode === 'private' ? await loadOwnMessages(database.query, identity) : [];
      // With messages of their own a new look: what was found there is on the board then and will not be told again.
      if (own.length > 0 || !room.board) await looker.refresh(room);
      else await (room.next?.promise ?? room.current);
      const cursor = since === undefined ? undefined : parseCursor(since);
      return { room, page: pageOf(room.board!, { identity, since: cursor, own }) };
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
      await looker.close();
    },
  };
}

const createOpenRoom = (session: Pick<OpenRoom, 'accountId' | 'sessionId' | 'webinarId'>): OpenRoom => ({
  ...session,
  board: undefined,
  listeners: new Set(),
  current: undefined,
  next: undefined,
  waiting: 0,
  askedAtMs: 0,
});

const isForgotten = ({ waiting, listeners, askedAtMs }: OpenRoom): boolean =>
  waiting === 0 && listeners.size === 0 && performance.now() - askedAtMs > rememberMs;
