// Reads the feeds of many sessions together and sends new content to their listeners.
import { createBatcher } from '@service/background';
import { idAt, idTime, lowestIdSince, type Database } from '@service/database';
import type { Log } from '@service/log';
import { attendeeErrors } from '../errors.ts';
import {
  createUpdatePages,
  emptySnapshot,
  updateSnapshot,
  type FeedSnapshot,
  type FeedContent,
} from './feed-snapshot.ts';
import type { FeedPage } from './feed-item.ts';
import { loadFeeds } from './load-feeds.ts';
import type { RoomIdentity } from './room.ts';

/** A session with listeners or recent calls in this process. */
export interface WatchedSession {
  accountId: string;
  sessionId: string;
  webinarId: string;
  /** Undefined before the first read. */
  snapshot: FeedSnapshot | undefined;
  listeners: Set<Listener>;
  /** The running read, and the one after it. */
  current: Promise<void> | undefined;
  next: PromiseWithResolvers<void> | undefined;
}

export interface Listener {
  identity: RoomIdentity;
  onPage: (page: FeedPage) => void;
}

interface RefresherOptions {
  database: Pick<Database, 'query'>;
  log: Log;
  /** For tests. By default the time of the database. */
  now?: (() => Date) | undefined;
}

/** The first changed session waits this long for others. */
const waitMs = 20;
const batchMax = 200;
const sessionsMax = 20_000;
/** A message can become visible this much later than one with a higher id. */
const lateMs = 10_000;

export function createRefresher({ database, log, now: givenNow }: RefresherOptions) {
  // The database's time and this process's monotonic clock at the last read. Before the first read no session has a snapshot.
  let readAt = { databaseMs: Date.now(), processMs: performance.now() };
  const now = (): Date => givenNow?.() ?? new Date(readAt.databaseMs + performance.now() - readAt.processMs);

  const readFeeds = async (sessions: readonly WatchedSession[]): Promise<void> => {
    const asked = sessions.map((session) => session.next!);
    for (const [index, session] of sessions.entries()) {
      session.current = asked[index]!.promise;
      session.next = undefined;
    }
    const firstIds = sessions.map((session) => firstIdOf(session, now()));
    try {
      const keys = sessions.map((session, index) => ({ ...session, firstId: firstIds[index]! }));
      const found = await loadFeeds(database.query, keys);
      readAt = { databaseMs: found.now.getTime(), processMs: performance.now() };
      for (const [index, session] of sessions.entries()) deliver(session, found.contents[index]!);
      for (const { resolve } of asked) resolve();
    } catch (error) {
      log.warn({ err: error }, 'Could not read the feeds of rooms; will try again');
      for (const { reject } of asked) reject(error);
    } finally {
      for (const session of sessions) session.current = undefined;
    }
  };

  const batcher = createBatcher<WatchedSession>({
    run: readFeeds,
    waitMs,
    batchMax,
    // One batch at a time, so that the result of an older read never arrives after that of a newer one.
    concurrency: 1,
    waitingMax: sessionsMax,
    groupOf: ({ accountId }) => accountId,
  });

  return {
    /** Resolves after a read that began after this call. */
    refresh(session: WatchedSession): Promise<void> {
      if (session.next) return session.next.promise;
      const next = Promise.withResolvers<void>();
      // Often no caller waits for this promise, so its rejection must not be unhandled.
      next.promise.catch(() => undefined);
      if (batcher.add(session)) session.next = next;
      else next.reject(attendeeErrors.room_busy({ retryAfterSeconds: 1 }));
      return next.promise;
    },
    /** Waits for the requested reads. */
    close: () => batcher.drain(),
  };
}

/** The first message id to read. Known messages are read again, because late ones can become visible between them. */
function firstIdOf({ snapshot, sessionId }: WatchedSession, now: Date): string {
  const newest = snapshot?.messages.at(-1);
  if (!newest) return lowestIdSince(sessionId);
  // A machine whose clock is ahead must not hide the messages of other machines.
  const newestMs = Math.min(idTime(newest.id).getTime(), now.getTime());
  return idAt(new Date(newestMs - lateMs));
}

function deliver(session: WatchedSession, found: FeedContent): void {
  const { snapshot, update } = updateSnapshot(session.snapshot ?? emptySnapshot, found);
  session.snapshot = snapshot;
  if (session.listeners.size === 0) return;
  const pageFor = createUpdatePages(snapshot, update);
  for (const { identity, onPage } of session.listeners) {
    const page = pageFor(identity);
    if (page) onPage(page);
  }
}
