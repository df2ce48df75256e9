// Sends waiting changes. One worker at a time has the lane of a connection, and with it the limits of its tool: so no limit is exceeded over
// all workers, and the changes of a contact keep their order. No transaction is open while a tool is called.
import { createPlaces, createRepeater, nextMultipleMs, type UntilWork } from '@service/background';
import type { RevenueReader } from '@service/attendees';
import type { MarketingConnection, MarketingConnections } from '@service/connections';
import { databaseTime, type Database } from '@service/database';
import type { Log } from '@service/log';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { gatherMs } from '../change/queue-changes.ts';
import type { ContactResult } from '../entities.ts';
import { createCallLimits } from './call-limits.ts';
import {
  findDueLanes,
  lease,
  removeLanes,
  rest,
  returnLostChanges,
  type LaneKey,
} from './connection-lanes.ts';
import { createLaneRun, takesChanges, type Clock } from './lane-run.ts';
import type { SuppressionReader } from './take-changes.ts';

export interface ContactWorkerOptions {
  database: Pick<Database, 'query' | 'transaction'>;
  marketing: Pick<
    MarketingConnections,
    'find' | 'findById' | 'open' | 'rememberSuccess' | 'record' | 'verifyAfterRefusal'
  >;
  readRevenue: RevenueReader;
  readSuppressed: SuppressionReader;
  log: Log;
  /** Called after changes of an account were sent. Must not throw. */
  onChanged?: (accountId: string) => void;
  /** Called with the result of each attempt when it is written. Must not throw. */
  onResult?: (provider: string, result: ContactResult) => void;
  /** The period of the search for due changes while any wait. Without any it is a second: a change waits for `gatherMs` before it is due. */
  everyMs?: number;
  /** Resolves to false if a search would find nothing (`workConditions`). By default every search is made. */
  mayFind?: (work: 'due_contact_changes') => Promise<boolean>;
  untilWork?: UntilWork;
  /** The limit of one call. */
  callMaxMs?: number;
  /** The database's time by default. */
  clock?: Clock;
}

export type ContactWorker = ReturnType<typeof createContactWorker>;

/** Lanes of connections that take nothing are looked at again after this time. */
const closedRestMs = 15_000;
/** Connections whose ids of tags and settings are remembered. */
const knownMax = 1000;

export function createContactWorker(options: ContactWorkerOptions) {
  const { database, marketing, log, everyMs = 250, callMaxMs = 16_000 } = options;
  const { query } = database;
  const clock = options.clock ?? systemClock;
  const places = createPlaces();
  const openByAccount = new Map<string, number>();
  const stopping = new AbortController();
  /** The lanes of this worker, by connection. */
  const lanes = new Map<string, Promise<void>>();
  /** By connection and version: `known` of its lane. */
  const knownByVersion = new LRUCache<string, Map<string, string>>({
    max: knownMax,
    memoMethod: () => new Map(),
  });
  let openCalls = 0;
  let progressAt = new Date();

  const search = async (): Promise<void> => {
    const now = clock.now();
    const due = await findDueLanes(query, { now, without: [...places.fullKeys(), ...lanes.keys()] });
    progressAt = new Date();
    if (due.length === 0) return;
    const found = await marketing.find(query, due);
    const closed = due.filter(({ id }) => {
      const connection = found.get(id);
      return connection !== undefined && !takesChanges(connection);
    });
    await rest(query, closed, new Date(now.getTime() + closedRestMs));
    await removeLanes(
      query,
      due.filter(({ id }) => !found.has(id)),
    );
    for (const lane of due) {
      const connection = found.get(lane.id);
      if (!connection || !takesChanges(connection) || lanes.has(lane.id)) continue;
      if (stopping.signal.aborted || places.freeFor(lane.id, 1) === 0) continue;
      const running = runLane(lane, connection)
        .catch((error: unknown) =>
          log.error({ err: error, ...lane }, 'Changes of contacts could not be sent and are sent later'),
        )
        .finally(() => lanes.delete(lane.id));
      lanes.set(lane.id, running);
    }
  };

  const runLane = async (lane: LaneKey, found: MarketingConnection): Promise<void> => {
    const token = randomUUID();
    const leased = await lease(query, lane, { token, now: clock.now() });
    if (!leased) return;
    const { provider } = marketing.open(found);
    const limits = createCallLimits(provider.limits, leased.limits);
    // The worker that had the lane before may have made these calls without a word.
    if (leased.wasLost) limits.count(limits.names(), clock.now(), provider.open);
    await returnLostChanges({ query, accountId: lane.accountId }, lane.id, clock.now());
    const known = knownByVersion.memo(`${found.id} ${found.version}`);
    await createLaneRun(
      { lane, token, limits, known, connection: found },
      {
        ...options,
        clock,
        places,
        openByAccount,
        stopping: stopping.signal,
        everyMs,
        callMaxMs,
        onCall: (change) => void (openCalls += change),
        onProgress: () => void (progressAt = new Date()),
      },
    ).run();
  };

  const mayFind = options.mayFind ?? (async () => true);
  const repeater = createRepeater({
    everyMs: gatherMs,
    untilWork: options.untilWork,
    async run(signal) {
      while (!signal.aborted && (await mayFind('due_contact_changes'))) {
        await search();
        await clock.wait(nextMultipleMs(everyMs) - performance.now(), signal);
      }
      progressAt = new Date();
    },
    onFailure: (error) => log.error({ err: error }, 'Sending changes of contacts failed and is tried again'),
  });

  return {
    openCalls: (): number => openCalls,
    /** The lanes that this worker sends. */
    busyLanes: (): number => lanes.size,
    /** The time of the last search for due changes, or of the last written result. */
    lastProgressAt: (): Date => progressAt,
    start: (): void => repeater.start(),
    /** Sends everything that is due now. For tests, instead of `start`. */
    async sendDue(): Promise<void> {
      await search();
      while (lanes.size > 0) await Promise.all(lanes.values());
    },
    /** Takes nothing new. Resolves when every call has ended and is recorded. */
    async stop(): Promise<void> {
      stopping.abort();
      await repeater.stop();
      while (lanes.size > 0) await Promise.all(lanes.values());
    },
  };
}

const systemClock: Clock = {
  now: databaseTime,
  wait: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};
