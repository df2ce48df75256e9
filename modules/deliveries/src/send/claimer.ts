// Claims deliveries for one worker in three ways that run side by side, so that new deliveries never wait for old ones.
import { randomUUID } from 'node:crypto';
import { nextMultipleMs, timerErrorMs } from '@service/background';
import { isMissingTable, type Query } from '@service/database';
import {
  claimFirstTries,
  claimOfEndpoints,
  claimProbes,
  claimRetries,
  loadBodies,
  type Claimed,
  type ClaimConnection,
} from '../queue/claim.ts';
import { releaseTokens, type ClaimedDelivery, type Lease } from '../queue/lease.ts';
import { fillJoinUrls, type FindJoinUrls } from './join-url.ts';
import type { Lanes } from './lanes.ts';

interface ClaimerOptions {
  query: Query;
  findJoinUrls: FindJoinUrls;
  lanes: Lanes;
  /** Notified when the lanes have changed. */
  changed: { wait(): Promise<void> };
  concurrency: number;
  sweepEveryMs: number;
  /** Resolves to false if a sweep would find nothing. */
  mayFind(work: 'due_deliveries' | 'due_probes'): Promise<boolean>;
  /** The number of this worker; undefined while nothing may be claimed. */
  worker(): number | undefined;
  /** Statements over the connection of this worker, which has `scanSettings`. */
  scanQuery: Query;
  now(): Date;
  leaseSeconds: number;
  onClaimed(claim: { count: number; seconds: number }): void;
  /** These rows are claimed, and what is sent is read next. `claimedAt`: a time of `performance.now()` before the claim. */
  onRows(claimed: Claimed, claimedAt: number): void;
  /** More is due than this worker can take. */
  onMore(): void;
}

/** One scan reads this many times the concurrency. */
const scanTimes = 4;

/** From the error of a missing partition to the next try. */
const withoutPartitionMs = 60_000;

/** The most deliveries that one scan claims for one endpoint. */
const endpointMax = 64;

export function createClaimer(options: ClaimerOptions) {
  const { query, scanQuery, findJoinUrls, lanes, changed, concurrency, sweepEveryMs, worker, leaseSeconds } =
    options;
  const newTries = createScan();
  const allTries = createScan();
  const allRetries = createScan();
  const scans = [newTries, allTries, allRetries];
  newTries.isDue = true;
  let sweepAt = 0;
  /** Claims do not read what is sent before this: the partitions of the day were missing. */
  let contentsFromMs = 0;
  /** Tokens of claims that may have been made although their statement failed here. */
  let unansweredTokens: string[] = [];

  const claim = async <Part extends Claimed>(
    take: (lease: Lease) => Promise<Part>,
    { isProbe } = { isProbe: false },
  ): Promise<Part & { deliveries: ClaimedDelivery[] }> => {
    const number = worker();
    if (number === undefined) throw new Error('This worker may not claim: it has no liveness lock.');
    const token = randomUUID();
    const claimedAt = performance.now();
    try {
      const claimed = await take({ worker: number, seconds: leaseSeconds, token });
      options.onRows(claimed, claimedAt);
      const deliveries = await loadBodies(query, claimed.rows, { claim: token, claimedAt, isProbe });
      await fillJoinUrls(findJoinUrls, deliveries);
      const seconds = (performance.now() - claimedAt) / 1000;
      options.onClaimed({ count: deliveries.length, seconds });
      return { ...claimed, deliveries };
    } catch (error) {
      unansweredTokens.push(token);
      throw error;
    }
  };

  /** Makes a claim that reads what is sent, or one that does not while there are no partitions of the day. */
  const withContents = async <Part>(take: (connection: ClaimConnection) => Promise<Part>): Promise<Part> => {
    if (performance.now() >= contentsFromMs) {
      try {
        return await take({ query: scanQuery, day: options.now() });
      } catch (error) {
        if (!isMissingTable(error)) throw error;
        contentsFromMs = performance.now() + withoutPartitionMs;
      }
    }
    return take({ query });
  };

  const continueScan = async (scan: Scan): Promise<ClaimedDelivery[]> => {
    if (lanes.capacity() < concurrency) options.onMore();
    while (lanes.capacity() < concurrency && worker() !== undefined) await changed.wait();
    const limit = Math.min(lanes.capacity(), scanTimes * concurrency);
    const leftOut = lanes.leftOutOfScans(performance.now());
    for (const endpoint of leftOut.endpoints) lanes.markBacklog(endpoint);
    const since = scan.begin(leftOut.accounts.length > 0);
    const bounds = {
      since,
      limit,
      withoutEndpoints: leftOut.endpoints.map(({ endpointId }) => endpointId),
      withoutAccounts: leftOut.accounts,
      endpointMax,
      accountMax: lanes.accountWaitingMax,
    };
    const { deliveries, more, seen, until } = await claim((lease) => {
      if (scan === newTries) return withContents((connection) => claimFirstTries(connection, lease, bounds));
      // Over the pool: a sweep may take long, and new deliveries must not wait for it.
      if (scan === allTries) return claimFirstTries({ query }, lease, bounds);
      return claimRetries(query, lease, bounds);
    });
    const isDry = seen < limit;
    scan.end({ until, isDry });
    if (!isDry) options.onMore();
    for (const endpoint of more) lanes.markBacklog(endpoint);
    return deliveries;
  };

  const isSweepTime = (): boolean => performance.now() + timerErrorMs >= sweepAt;

  const releaseUnanswered = async (): Promise<void> => {
    if (unansweredTokens.length === 0) return;
    const tokens = unansweredTokens;
    await releaseTokens(query, tokens);
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
     * Claims for endpoints that scans leave out, each from its own part of the queue. So deliveries of other endpoints never wait
     * behind a flood for one endpoint.
     */
    async claimBacklogs(): Promise<ClaimedDelivery[]> {
      const parts = lanes.takeBacklogTurns(performance.now());
      const { deliveries } = await claim((lease) =>
        withContents((connection) => claimOfEndpoints(connection, lease, parts)),
      );
      const progress = new Map(
        parts.map(({ count, since, ...endpoint }) => [
          lanes.of(endpoint),
          { wanted: count, taken: 0, until: since },
        ]),
      );
      for (const delivery of deliveries) {
        const part = progress.get(lanes.of(delivery))!;
        part.taken += 1;
        part.until = Math.max(part.until, delivery.dueAtSeconds);
      }
      for (const [lane, { wanted, taken, until }] of progress)
        lanes.recordBacklogClaim(lane, { until, isDry: taken < wanted });
      return deliveries;
    },

    isSweepDue: (): boolean =>
      worker() !== undefined && (isSweepTime() || allTries.isDue || allRetries.isDue),

    /** Claims what no wake-up announced: lost wake-ups, retries and probes. Gives the deliveries in parts, as they are claimed. */
    async *sweep(): AsyncGenerator<ClaimedDelivery[], void> {
      let startedAt = performance.now();
      const isTime = isSweepTime();
      let hasProbes = false;
      try {
        if (isTime) {
          await releaseUnanswered();
          const found = await Promise.all([options.mayFind('due_deliveries'), options.mayFind('due_probes')]);
          // A late answer is no work of the sweep.
          startedAt = performance.now();
          hasProbes = found[1];
          if (found[0]) {
            allTries.restart();
            allRetries.restart();
            lanes.restartBacklogs();
          }
        }
        if (allTries.isDue) yield await continueScan(allTries);
        if (allRetries.isDue) yield await continueScan(allRetries);
        if (hasProbes)
          yield (await claim((lease) => claimProbes(query, lease), { isProbe: true })).deliveries;
      } finally {
        // A sweep over a million deliveries takes long. Sweeps must leave ten times as long for all other work.
        const endedAt = performance.now();
        if (isTime) sweepAt = Math.max(nextMultipleMs(sweepEveryMs), endedAt + 10 * (endedAt - startedAt));
      }
    },

    /** Makes scans due that left out accounts, once these have capacity again. Returns whether there are any. */
    resumeScans(): boolean {
      const isLeftOut = scans.some((scan) => scan.hasLeftOutAccounts());
      if (!isLeftOut || !lanes.haveAccountsCapacity()) return false;
      for (const scan of scans) if (scan.hasLeftOutAccounts()) scan.isDue = true;
      return true;
    },
  };
}

/**
 * A transaction becomes visible a little later than its rows become due, and not in their order. So a scan begins this much
 * before the end of the last one, in seconds. The sweep finds what becomes visible even later.
 */
const overlapSeconds = 0.1;

/** Rows with due times closer together than this are scanned twice, so that none is missed, in seconds. */
const resolutionSeconds = 0.000_01;

/** The position of repeated scans of the queue. Times are epoch seconds of the database. */
export interface Scan {
  /** There is a reason to scan. */
  isDue: boolean;
  /** Makes the next scan begin at the beginning. */
  restart(): void;
  /** Begins a scan and returns the due time to begin at. `leavesOutAccounts`: some accounts are left out of this scan. */
  begin(leavesOutAccounts: boolean): number;
  end(seen: { until: number; isDry: boolean }): void;
  /** True if accounts were left out. They must be scanned when they have capacity again. */
  hasLeftOutAccounts(): boolean;
}

/**
 * Remembers how far the queue was scanned, so that a flood for one endpoint is stepped over once and not with every scan.
 * Endpoints that were left out have lanes that know their backlog. Accounts have no such memory: the scan keeps the position
 * from which accounts were left out. When they have capacity again, scans continue from there until they have caught up.
 */
export function createScan(): Scan {
  let scannedUntil = 0;
  let leftOutSince: number | undefined;
  let since = 0;
  let isCatchingUp = false;
  return {
    isDue: false,
    restart() {
      scannedUntil = 0;
      leftOutSince = undefined;
      this.isDue = true;
    },
    begin(leavesOutAccounts) {
      isCatchingUp = !leavesOutAccounts && leftOutSince !== undefined;
      if (leavesOutAccounts) leftOutSince ??= scannedUntil;
      since = isCatchingUp ? leftOutSince! : scannedUntil;
      this.isDue = false;
      return since;
    },
    end({ until, isDry }) {
      const reached = Math.max(since, isDry ? until - overlapSeconds : until - resolutionSeconds);
      if (!isCatchingUp) scannedUntil = reached;
      else if (!isDry) leftOutSince = reached;
      else {
        leftOutSince = undefined;
        scannedUntil = Math.max(scannedUntil, reached);
      }
      if (!isDry) this.isDue = true;
    },
    hasLeftOutAccounts: () => leftOutSince !== undefined,
  };
}
