// Claims deliveries for one worker in three ways that run side by side, so that new deliveries never wait for old ones.
import { randomUUID } from 'node:crypto';
import type { Database } from '@service/database';
import { endpointKey } from '../endpoint/endpoint.ts';
import {
  claimOfEndpoints,
  claimOldest,
  claimProbes,
  releaseTokens,
  type ClaimedDelivery,
  type Lease,
} from '../queue/claim.ts';
import type { Lanes } from './lanes.ts';
import type { Signal } from './loop.ts';
import { createScan, type Scan } from './scan.ts';

interface ClaimerOptions {
  pool: Database['pool'];
  lanes: Lanes;
  /** Notified when the lanes have changed. */
  changed: Signal;
  concurrency: number;
  sweepEveryMs: number;
  /** The number of this worker; undefined while nothing may be claimed. */
  worker(): number | undefined;
  leaseSeconds: number;
  onClaimed(claim: { count: number; seconds: number }): void;
}

/** One scan reads this many times the concurrency. */
const scanTimes = 4;

/** The most deliveries that one scan claims for one endpoint. */
const endpointMax = 64;

export function createClaimer(options: ClaimerOptions) {
  const { pool, lanes, changed, concurrency, sweepEveryMs, worker, leaseSeconds } = options;
  const newTries = createScan('first tries');
  const allTries = createScan('first tries');
  const allRetries = createScan('retries');
  newTries.isDue = true;
  let sweepAt = 0;
  /** Tokens of claims that may have been made although their statement failed here. */
  let unansweredTokens: string[] = [];

  const claim = async <Claimed extends { deliveries: readonly ClaimedDelivery[] }>(
    take: (lease: Lease) => Promise<Claimed>,
  ): Promise<Claimed> => {
    const number = worker();
    if (number === undefined) throw new Error('This worker may not claim: it has no liveness lock.');
    const token = randomUUID();
    const startedAt = performance.now();
    try {
      const claimed = await take({ worker: number, seconds: leaseSeconds, token });
      const seconds = (performance.now() - startedAt) / 1000;
      options.onClaimed({ count: claimed.deliveries.length, seconds });
      return claimed;
    } catch (error) {
      unansweredTokens.push(token);
      throw error;
    }
  };

  const continueScan = async (scan: Scan): Promise<ClaimedDelivery[]> => {
    while (lanes.capacity() < concurrency && worker() !== undefined) await changed.wait();
    const limit = Math.min(lanes.capacity(), scanTimes * concurrency);
    const leftOut = lanes.leftOutOfScans(performance.now());
    for (const endpoint of leftOut.endpoints) lanes.markBacklog(endpoint);
    const since = scan.begin(leftOut.accounts.length > 0);
    const { deliveries, more, seen, until } = await claim((lease) =>
      claimOldest(pool, lease, {
        part: scan.part,
        since,
        limit,
        withoutEndpoints: leftOut.endpoints.map(({ endpointId }) => endpointId),
        withoutAccounts: leftOut.accounts,
        endpointMax,
        accountMax: lanes.accountWaitingMax,
      }),
    );
    scan.end({ until, isDry: seen < limit });
    for (const endpoint of more) lanes.markBacklog(endpoint);
    return deliveries;
  };

  const releaseUnanswered = async (): Promise<void> => {
    if (unansweredTokens.length === 0) return;
    const tokens = unansweredTokens;
    await releaseTokens(pool, tokens);
    unansweredTokens = unansweredTokens.slice(tokens.length);
  };

  return {
    /** Records that first tries may have become due. */
    noteDue: (): void => void (newTries.isDue = true),
    hasNewTries: (): boolean => worker() !== undefined && newTries.isDue,

    /** Claims first tries that became due since the last scan. */
    claimNewTries: (): Promise<ClaimedDelivery[]> => continueScan(newTries),

    hasBacklogs: (): boolean => worker() !== undefined && lanes.hasClaimableBacklog(performance.now()),

    /**
     * Claims for endpoints that scans leave out, each from its own part of the queue. So a flood for one endpoint never stands
     * before the deliveries of others.
     */
    async claimBacklogs(): Promise<ClaimedDelivery[]> {
      const parts = lanes.takeBacklogTurns(performance.now());
      const { deliveries } = await claim((lease) => claimOfEndpoints(pool, lease, parts));
      const byEndpoint = Map.groupBy(deliveries, endpointKey);
      for (const part of parts) {
        const taken = byEndpoint.get(endpointKey(part)) ?? [];
        const until = taken.reduce((latest, { dueAtSeconds }) => Math.max(latest, dueAtSeconds), part.since);
        lanes.recordBacklogClaim(part, { until, isDry: taken.length < part.count });
      }
      return deliveries;
    },

    isSweepDue: (): boolean =>
      worker() !== undefined && (performance.now() >= sweepAt || allTries.isDue || allRetries.isDue),

    /** Claims what no wake-up announced: lost wake-ups, retries and probes. Gives the deliveries in parts, as they are claimed. */
    async *sweep(): AsyncGenerator<ClaimedDelivery[], void> {
      const startedAt = performance.now();
      const isTime = startedAt >= sweepAt;
      try {
        if (isTime) {
          await releaseUnanswered();
          allTries.restart();
          allRetries.restart();
          lanes.restartBacklogs();
        }
        if (allTries.isDue) yield await continueScan(allTries);
        if (allRetries.isDue) yield await continueScan(allRetries);
        if (isTime) yield (await claim((lease) => claimProbes(pool, lease))).deliveries;
      } finally {
        // A sweep over a million deliveries takes long. Sweeps must leave ten times as long for all other work.
        const tookMs = performance.now() - startedAt;
        if (isTime) sweepAt = performance.now() + Math.max(sweepEveryMs, 10 * tookMs);
      }
    },

    /** Makes scans due that left out accounts, once these have capacity again. Returns whether there are any. */
    resumeScans(): boolean {
      const scans = [newTries, allTries, allRetries].filter((scan) => scan.hasLeftOutAccounts());
      if (scans.length === 0 || !lanes.haveAccountsCapacity()) return false;
      for (const scan of scans) scan.isDue = true;
      return true;
    },
  };
}
