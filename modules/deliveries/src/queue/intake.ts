// How a worker gets what it sends: from the whole queue, and from the parts of endpoints that have more than it may hold.
import { randomUUID } from 'node:crypto';
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import {
  claimOf,
  claimOldest,
  claimToProbe,
  endpointKey,
  releaseLost,
  type ClaimedDelivery,
  type Lease,
} from './claim.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
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
 * First tries go before retries. An endpoint that has all it may have is left out of the next look at the queue and served
 * from its own part of it, so that a flood for one is never waded through for the others.
 */
export function createIntake(options: IntakeOptions): Intake {
  const { pool, lanes, concurrency, sweepEveryMs, worker, leaseSeconds, receive, log } = options;
  const firstTries = createScan('first tries');
  const retries = createScan('retries');
  let running: Promise<void> | undefined;
  /** Tokens of claims of which nobody knows what came of them. */
  let lost: string[] = [];
  let sweepAt = 0;
  /** Looks at first tries since the last one at retries. */
  let firstInARow = 0;

  const hasReason = (nowMs: number): boolean =>
    nowMs >= sweepAt || firstTries.isDue || retries.isDue || lanes.isAnyHungry(nowMs);

  // Only with something to do: run would otherwise be over before it is assigned here.
  const claimMore = (): void => {
    if (worker() !== undefined && hasReason(performance.now())) running ??= run();
  };

  const run = async (): Promise<void> => {
    try {
      while (worker() !== undefined && hasReason(performance.now())) {
        if (lost.length > 0) await releaseAllLost();
        if (performance.now() >= sweepAt) await sweep();
        else await claimOnce();
      }
    } catch (error) {
      sweepAt = performance.now() + sweepEveryMs;
      log.error({ err: error }, 'Deliveries could not be claimed; the sweep will try again');
    } finally {
      running = undefined;
    }
  };

  const releaseAllLost = async (): Promise<void> => {
    const tokens = lost;
    await releaseLost(pool, tokens);
    lost = lost.slice(tokens.length);
  };

  /** Looks at the queue from its beginning, for all that no wake-up announced. */
  const sweep = async (): Promise<void> => {
    const startedAt = performance.now();
    firstTries.beginAnew();
    retries.beginAnew();
    await receive(await claim((lease) => claimToProbe(pool, lease)));
    await claimOnce();
    // With a million waiting this takes long; it must not become all there is.
    sweepAt = performance.now() + Math.max(sweepEveryMs, 10 * (performance.now() - startedAt));
  };

  /** Serves the endpoints that have more, then looks at the queue once. First tries go first, yet not for ever. */
  const claimOnce = async (): Promise<void> => {
    while (lanes.room() < concurrency && worker() !== undefined) await options.waitForRoom();
    await claimForHungry();
    if (worker() === undefined) return;
    if (firstTries.isDue && !(retries.isDue && firstInARow >= 3)) {
      firstInARow += 1;
      await look(firstTries);
    } else if (retries.isDue) {
      firstInARow = 0;
      await look(retries);
    }
  };

  const claimForHungry = async (): Promise<void> => {
    const wanted = lanes.hungry(performance.now());
    if (wanted.length === 0) return;
    const claimed = await claim((lease) => claimOf(pool, lease, wanted));
    const byEndpoint = Map.groupBy(claimed, endpointKey);
    for (const lane of wanted) {
      if ((byEndpoint.get(endpointKey(lane))?.length ?? 0) < lane.room) lanes.noteDry(lane);
    }
    await receive(claimed);
  };

  /** Looks at the oldest of the queue. */
  const look = async (scan: Scan): Promise<void> => {
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

  return {
    wake() {
      firstTries.isDue = true;
      claimMore();
    },
    claimMore,
    claimMoreAfter(lane) {
      for (const scan of [firstTries, retries]) {
        if (scan.wasCutShort() && lanes.haveAccountsRoom()) scan.isDue = true;
      }
      if (firstTries.isDue || retries.isDue || lanes.isHungry(lane, performance.now())) claimMore();
    },
    async stop() {
      await running;
    },
  };
}
