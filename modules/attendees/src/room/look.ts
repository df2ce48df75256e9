// Looking at sessions, many together, and telling those who listen what is new.
import { idAt, idTime, type Database } from '@service/database';
import type { Log } from '@service/log';
import { attendeeErrors } from '../errors.ts';
import { createNewsPages, emptyBoard, learn, type Board, type Seen } from './board.ts';
import type { FeedPage } from './feed-item.ts';
import { createGathering } from './gather.ts';
import { beginningOf, loadBoards } from './load-boards.ts';
import type { RoomIdentity } from './room.ts';

/** A session that somebody here listens to or has asked for lately. */
export interface Watched {
  accountId: string;
  sessionId: string;
  webinarId: string;
  /** Undefined before the first look. */
  board: Board | undefined;
  listeners: Set<Listener>;
  /** The look that is under way, and the one after it. */
  current: Promise<void> | undefined;
  next: PromiseWithResolvers<void> | undefined;
}

export interface Listener {
  identity: RoomIdentity;
  onPage: (page: FeedPage) => void;
}

interface LookOptions {
  database: Pick<Database, 'query'>;
  log: Log;
  /** Left out: the time is the database's. */
  now?: (() => Date) | undefined;
}

/** How long the first session that changed waits for others. */
const waitMs = 20;
const looksMax = 200;
const sessionsMax = 20_000;
/** How much later than a message one with a lower id may become visible. */
const lateMs = 10_000;

export function createLooker({ database, log, now: givenNow }: LookOptions) {
  // The database's time and this process's monotonic clock at the last look: before the first one no session has a board.
  let lookedAt = { databaseMs: Date.now(), processMs: performance.now() };
  const now = (): Date =>
    givenNow?.() ?? new Date(lookedAt.databaseMs + performance.now() - lookedAt.processMs);

  const look = async (sessions: readonly Watched[]): Promise<void> => {
    const asked = sessions.map((session) => session.next!);
    for (const [index, session] of sessions.entries()) {
      session.current = asked[index]!.promise;
      session.next = undefined;
    }
    const firstIds = sessions.map((session) => firstIdOf(session, now()));
    try {
      const looks = sessions.map((session, index) => ({ ...session, firstId: firstIds[index]! }));
      const found = await loadBoards(database.query, looks);
      lookedAt = { databaseMs: found.now.getTime(), processMs: performance.now() };
      for (const [index, session] of sessions.entries()) tell(session, found.seen[index]!);
      for (const { resolve } of asked) resolve();
    } catch (error) {
      log.warn({ err: error }, 'What is new in rooms could not be read and will be tried again');
      for (const { reject } of asked) reject(error);
    } finally {
      for (const session of sessions) session.current = undefined;
    }
  };

  const gathering = createGathering<Watched>({
    run: look,
    waitMs,
    batchMax: looksMax,
    // One after the other: what an older look has found must not come after what a newer one has.
    batches: 1,
    waitingMax: sessionsMax,
    groupOf: ({ accountId }) => accountId,
  });

  return {
    /** Resolves when a look is over that began after the call. */
    refresh(session: Watched): Promise<void> {
      if (session.next) return session.next.promise;
      const next = Promise.withResolvers<void>();
      // Often nobody waits for it.
      next.promise.catch(() => undefined);
      if (gathering.add(session)) session.next = next;
      else next.reject(attendeeErrors.room_busy({ retryAfterSeconds: 1 }));
      return next.promise;
    },
    /** Waits for the looks that were asked for. */
    close: () => gathering.drain(),
  };
}

/** Messages from there on are looked at again, since others may have become visible between them. */
function firstIdOf({ board, sessionId }: Watched, now: Date): string {
  const newest = board?.messages.at(-1);
  if (!newest) return beginningOf(sessionId);
  // A machine whose clock is ahead must not hide what all the others write.
  const newestMs = Math.min(idTime(newest.id).getTime(), now.getTime());
  return idAt(new Date(newestMs - lateMs));
}

function tell(session: Watched, found: Seen): void {
  const { board, news } = learn(session.board ?? emptyBoard, found);
  session.board = board;
  if (session.listeners.size === 0) return;
  const pageFor = createNewsPages(board, news);
  for (const { identity, onPage } of session.listeners) {
    const page = pageFor(identity);
    if (page) onPage(page);
  }
}
