// Reads the feeds of many sessions together and sends new content to their listeners, session by session in ticks: a read, then
// the sending of its content in parts, then a pause in which further changes gather for the next tick.
import { createBatcher } from '@service/background';
import { type Database, idAt, idTime, lowestIdSince, nextTurn, partMs } from '@service/database';
import type { Log } from '@service/log';
import { attendeeErrors } from '../errors.ts';
import {
  createUpdatePages,
  emptySnapshot,
  type FeedContent,
  type FeedPage,
  type FeedSnapshot,
  type FeedUpdate,
  updateSnapshot,
  type Viewer,
} from './feed-snapshot.ts';
import { loadFeeds } from './load-feeds.ts';

/** A session with listeners or recent calls in this process. */
export interface WatchedSession {
  accountId: string;
  sessionId: string;
  webinarId: string;
  /** Undefined before the first read. */
  snapshot: FeedSnapshot | undefined;
  listeners: Set<Listener>;
  /** The read that was asked for and has not begun. */
  next: PromiseWithResolvers<void> | undefined;
  /** A tick is under way. */
  isTicking: boolean;
  /** The next tick begins at this time or later, by `performance.now()`. */
  readyAtMs: number;
}

export interface Listener extends Viewer {
  onPage: (page: FeedPage) => void;
}

interface RefresherOptions {
  database: Pick<Database, 'query' | 'ofAccount'>;
  log: Log;
  /** For tests. By default the time of the database. */
  now?: (() => Date) | undefined;
}

/** The first changed session waits this long for others. */
const waitMs = 20;
const batchMax = 200;
const sessionsMax = 20_000;
/** A later start or end is seen by one of the reads until then. */
const turnMaxMs = 20_000;
/** The time on the thread for reading a row from the connection. */
const rowMs = 0.001;
/** The least pause between two ticks of a session. */
const pauseMinMs = 250;
const pauseMaxMs = 4000;

/**
 * The pause after a tick, as a multiple of its time on the thread. With it the chat of the largest session takes at most 5 % of the
 * thread, so that the calls of the same account need not wait for it.
 */
const pauseFactor = 20;

/** Milliseconds until the next tick of a session. It is later for a session with many listeners, and while its account rests. */
export const nextTickMs = ({ usedMs, restMs }: { usedMs: number; restMs: number }): number =>
  Math.min(pauseMaxMs, Math.max(pauseMinMs, usedMs * pauseFactor, restMs));

/** A message can become visible this much later than one with a higher id. */
const lateMs = 10_000;

export function createRefresher({ database, log, now: givenNow }: RefresherOptions) {
  // The database's time and this process's monotonic clock at the last read. Before the first read no session has a snapshot.
  let readAt = { databaseMs: Date.now(), processMs: performance.now() };
  const now = (): Date => givenNow?.() ?? new Date(readAt.databaseMs + performance.now() - readAt.processMs);
  const timers = new Map<WatchedSession, NodeJS.Timeout>();
  const turnTimers = new Map<WatchedSession, NodeJS.Timeout>();
  let isClosed = false;

  const readFeeds = async (sessions: readonly WatchedSession[]): Promise<void> => {
    const asked = sessions.map((session) => session.next!);
    for (const session of sessions) {
      session.next = undefined;
      session.isTicking = true;
    }
    const keys = sessions.map((session) => ({ ...session, firstId: firstIdOf(session, now()) }));
    const found = await loadFeeds(database.query, keys, givenNow).catch((error: unknown) => {
      log.warn({ err: error }, 'Could not read the feeds of rooms; will try again');
      for (const { reject } of asked) reject(error);
      for (const session of sessions) endTick(session, 0);
    });
    if (!found) return;
    readAt = { databaseMs: found.now.getTime(), processMs: performance.now() };
    let beganAtMs = performance.now();
    for (const [index, session] of sessions.entries()) {
      const sending = deliver(session, () => found.contentOf(index));
      asked[index]!.resolve();
      readAtTurn(session, found.turnsAt(index));
      // Not awaited: the sending to one large session must not delay the reads of others.
      void sending.then((usedMs) => endTick(session, usedMs));
      const tookMs = performance.now() - beganAtMs;
      if (tookMs < partMs) continue;
      await nextTurn(tookMs);
      beganAtMs = performance.now();
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

  const endTick = (session: WatchedSession, usedMs: number): void => {
    const account = database.ofAccount(session.accountId);
    account.charge(usedMs);
    session.isTicking = false;
    session.readyAtMs = performance.now() + nextTickMs({ usedMs, restMs: account.restMs() });
    if (session.next) startWhenReady(session, session.next);
  };

  const startWhenReady = (session: WatchedSession, next: PromiseWithResolvers<void>): void => {
    timers.delete(session);
    const leftMs = session.readyAtMs - performance.now();
    if (!isClosed && leftMs > 0) {
      timers.set(
        session,
        setTimeout(() => startWhenReady(session, next), leftMs),
      );
    } else if (isClosed || !batcher.add(session)) {
      session.next = undefined;
      next.reject(attendeeErrors.room_busy({ retryAfterSeconds: 1 }));
    }
  };

  /** Reads a session again when it starts and when it ends, so that its listeners get to know at once. */
  const readAtTurn = (session: WatchedSession, turnsAt: Date | undefined): void => {
    const inMs = turnsAt ? turnsAt.getTime() - now().getTime() : Number.POSITIVE_INFINITY;
    clearTimeout(turnTimers.get(session));
    turnTimers.delete(session);
    if (isClosed || inMs > turnMaxMs) return;
    const read = (): void => {
      turnTimers.delete(session);
      void refresh(session);
    };
    turnTimers.set(session, setTimeout(read, Math.max(inMs, 0)));
  };

  const refresh = (session: WatchedSession): Promise<void> => {
    if (session.next) return session.next.promise;
    const next = Promise.withResolvers<void>();
    // Often no caller waits for this promise, so its rejection must not be unhandled.
    next.promise.catch(() => undefined);
    session.next = next;
    if (!session.isTicking) startWhenReady(session, next);
    return next.promise;
  };

  return {
    /** Asks for a read in the next tick of the session. Resolves after it. */
    refresh,
    /** Refuses the reads of later ticks and waits for those that have begun. */
    async close(): Promise<void> {
      isClosed = true;
      for (const timer of turnTimers.values()) clearTimeout(timer);
      turnTimers.clear();
      for (const [session, timer] of timers) {
        clearTimeout(timer);
        startWhenReady(session, session.next!);
      }
      await batcher.drain();
    },
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

/**
 * Adds content to the snapshot and sends what is new to the listeners, in parts. Returns the time on the thread. A listener that comes
 * while it is being sent has it in the first page.
 */
async function deliver(session: WatchedSession, read: () => FeedContent): Promise<number> {
  let beganAtMs = performance.now();
  const content = read();
  let usedMs = content.messages.length * rowMs;
  const { snapshot, update } = updateSnapshot(session.snapshot ?? emptySnapshot, content);
  session.snapshot = snapshot;
  const pageFor = createUpdatePages(snapshot, update);
  for (const listener of isEmpty(update) ? [] : [...session.listeners]) {
    const tookMs = performance.now() - beganAtMs;
    if (tookMs >= partMs) {
      usedMs += tookMs;
      await nextTurn(tookMs);
      beganAtMs = performance.now();
    }
    const page = session.listeners.has(listener) ? pageFor(listener) : undefined;
    if (page) listener.onPage(page);
  }
  return usedMs + performance.now() - beganAtMs;
}

const isEmpty = ({ messages, hiddenIds, polls, progress, session }: FeedUpdate): boolean =>
  [messages, hiddenIds, polls].every((items) => items.length === 0) && progress === null && session === null;
