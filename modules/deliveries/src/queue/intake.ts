// How a worker gets what it sends: three loops beside each other, so that what is new never waits for what is old.
import { randomUUID } from 'node:crypto';
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { endpointKey } from '../endpoint/endpoint-key.ts';
import {
  claimOf,
  claimOldest,
  claimToProbe,
  releaseLost,
  type ClaimedDelivery,
  type Lease,
} from './claim.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
import { createLoop } from './loop.ts';
import { createScan, type Scan } from './scan.ts';

interface IntakeOptions {
  pool: Database['pool'];
  lanes: Lanes;
  concurrency: number;
  /** How often to look for what no wake-up announced. */
  sweepEveryMs: number;
  /** Who claims; undefined while nothing may be claimed. */
  worker(): number | undefined;
  leaseSeconds: number;
  receive(deliveries: readonly ClaimedDelivery[]): Promise<void>;
  /** Resolves when the lanes have changed. */
  waitForRoom(): Promise<void>;
  onClaimed(claim: { count: number; seconds: number }): void;
  log: Log;
}

export interface Intake {
  /** First tries may be due. */
  wake(): void;
  /** Claims whatever there is a reason to claim. Returns at once; never throws. */
  claimMore(): void;
  /** The same, after an attempt of this lane has ended. */
  claimMoreAfter(lane: Lane): void;
  /** Resolves when nothing is being claimed; the worker must be undefined by then. */
  stop(): Promise<void>;
}

/** How many times its concurrency a worker looks at by one look at the queue. */
const lookTimes = 4;

/** Most that is taken of one endpoint by one look at the queue. */
const endpointMax = 64;

/**
 * Looks at what is new whenever it is woken; serves the endpoints that have more than it may hold from their own part of the
 * queue, so that a flood for one is never waded through for the others; and sweeps, for retries, probes and whatever no
 * wake-up announced.
 */
export function createIntake(options: IntakeOptions): Intake {
  const { pool, lanes, concurrency, sweepEveryMs, worker, leaseSeconds, receive, log } = options;
  const news = createScan('first tries');
  const leftovers = createScan('first tries');
  const retries = createScan('retries');
  /** Tokens of claims of which nobody knows what came of them. */
  let lost: string[] = [];
  let sweepAt = 0;
  news.isDue = true;

  const onError = (error: unknown): void =>
    log.error({ err: error }, 'Deliveries could not be claimed; the sweep will try again');

  const looking = createLoop({
    hasReason: () => worker() !== undefined && news.isDue,
    work: () => look(news),
    onError,
  });

  const serving = createLoop({
    hasReason: () => worker() !== undefined && lanes.isAnyHungry(performance.now()),
    work: () => serveHungry(),
    onError,
  });

  const sweeping = createLoop({
    hasReason: () =>
      worker() !== undefined && (performance.now() >= sweepAt || leftovers.isDue || retries.isDue),
    work: () => sweep(),
    onError(error) {
      sweepAt = performance.now() + sweepEveryMs;
      onError(error);
    },
  });

  const sweep = async (): Promise<void> => {
    const startedAt = performance.now();
    const isTime = startedAt >= sweepAt;
    if (isTime) {
      await releaseAllLost();
      leftovers.beginAnew();
      retries.beginAnew();
      lanes.serveAnew();
    }
    if (leftovers.isDue) await look(leftovers);
    if (retries.isDue) await look(retries);
    if (isTime) await receive(await claim((lease) => claimToProbe(pool, lease)));
    // With a million waiting this takes long; it must not become all there is.
    if (isTime) sweepAt = performance.now() + Math.max(sweepEveryMs, 10 * (performance.now() - startedAt));
  };

  const releaseAllLost = async (): Promise<void> => {
    if (lost.length === 0) return;
    const tokens = lost;
    await releaseLost(pool, tokens);
    lost = lost.slice(tokens.length);
  };

  const serveHungry = async (): Promise<void> => {
    const wanted = lanes.hungry(performance.now());
    const claimed = await claim((lease) => claimOf(pool, lease, wanted));
    const byEndpoint = Map.groupBy(claimed, endpointKey);
    for (const lane of wanted) {
      const taken = byEndpoint.get(endpointKey(lane)) ?? [];
      const until = taken.reduce((latest, { dueAtSeconds }) => Math.max(latest, dueAtSeconds), lane.since);
      lanes.noteServed(lane, { until, isDry: taken.length < lane.room });
    }
    await receive(claimed);
  };

  /** Looks at the oldest of the queue that the scan has not seen. */
  const look = async (scan: Scan): Promise<void> => {
    while (lanes.room() < concurrency && worker() !== undefined) await options.waitForRoom();
    const limit = Math.min(lanes.room(), lookTimes * concurrency);
    const full = lanes.full(performance.now());
    const since = scan.begin(full.accounts.length > 0);
    const { deliveries, more, seen, until } = await claim((lease) =>
      claimOldest(pool, lease, {
        which: scan.which,
        since,
        limit,
        withoutEndpoints: full.endpoints,
        withoutAccounts: full.accounts,
        endpointMax,
        accountMax: lanes.accountWaitingMax,
      }),
    );
    scan.end({ until, isDry: seen < limit });
    for (const key of more) lanes.noteMore(key);
    await receive(deliveries);
  };

  const claim = async <Claimed extends ClaimedDelivery[] | { deliveries: ClaimedDelivery[] }>(
    take: (lease: Lease) => Promise<Claimed>,
  ): Promise<Claimed> => {
    const number = worker();
    if (number === undefined) throw new Error('Other workers do not see this one.');
    const token = randomUUID();
    const startedAt = performance.now();
    try {
      const claimed = await take({ worker: number, seconds: leaseSeconds, token });
      const { length } = Array.isArray(claimed) ? claimed : claimed.deliveries;
      options.onClaimed({ count: length, seconds: (performance.now() - startedAt) / 1000 });
      return claimed;
    } catch (error) {
      lost.push(token);
      throw error;
    }
  };

  const claimMore = (): void => {
    looking.kick();
    serving.kick();
    sweeping.kick();
  };

  return {
    wake() {
      news.isDue = true;
      looking.kick();
    },
    claimMore,
    claimMoreAfter(lane) {
      if (lanes.isHungry(lane, performance.now())) serving.kick();
      for (const scan of [news, leftovers, retries]) {
        if (scan.wasCutShort() && lanes.haveAccountsRoom()) {
          scan.isDue = true;
          claimMore();
        }
      }
    },
    async stop() {
      await Promise.all([looking.settled(), serving.settled(), sweeping.settled()]);
    },
  };
}
