// The sender of one worker: claims due deliveries into lanes, starts attempts as slots become free, and claims more.
import { createRepeater, type UntilWork } from '@service/background';
import type { Query } from '@service/database';
import type { Log } from '@service/log';
import type { DestinationOpener } from '../endpoint/open-destinations.ts';
import { cancelDeliveries, releaseDeliveries, type ClaimedDelivery } from '../queue/lease.ts';
import type { AttemptRunner } from './attempt.ts';
import { createClaimer } from './claimer.ts';
import type { FindJoinUrls } from './join-url.ts';
import { createLaneDestinations, faultWaitSeconds } from './lane-destinations.ts';
import type { InFlightAttempt, Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { WriteBack } from './write-back.ts';

interface SenderOptions {
  query: Query;
  findJoinUrls: FindJoinUrls;
  lanes: Lanes;
  /** The number of this worker; nothing is claimed while it is undefined. */
  worker(): number | undefined;
  scanQuery: Query;
  now(): Date;
  destinationOpener: DestinationOpener;
  runAttempt: AttemptRunner;
  writeBack: WriteBack;
  /** Attempts in flight to fast endpoints; slow endpoints get as many slots again. */
  concurrency: number;
  timeoutMs: number;
  /** A lease lasts this much longer than an attempt: one half to wait for a turn, one half to write the result. */
  leaseMarginMs: number;
  sweepEveryMs: number;
  /** Resolves to false if a sweep would find nothing. */
  mayFind(work: 'due_deliveries' | 'due_probes'): Promise<boolean>;
  untilWork?: UntilWork | undefined;
  log: Log;
  onClaimed(claim: { count: number; seconds: number }): void;
  /** More is due than this worker can take. */
  onMore(): void;
}

/** Attempts that start without a pause. With more, the deliveries of one endpoint would keep the answers and the claims of others waiting. */
const startsMax = 8;

/** No attempt starts while this many results wait for the database. */
const unwrittenMax = 5000;

/** The period of the tick while lanes have work. Without any there is only a tick for each sweep. */
const tickMs = 200;

export function createSender(options: SenderOptions) {
  const { query, lanes, runAttempt, writeBack, timeoutMs, leaseMarginMs, sweepEveryMs, log } = options;
  const changed = createSignal();
  let ticker: NodeJS.Timeout | undefined;
  let starting: NodeJS.Immediate | undefined;
  let stopped = false;
  let restsCheckedAt = 0;

  const claimer = createClaimer({
    ...options,
    changed,
    worker: () => (stopped ? undefined : options.worker()),
    leaseSeconds: (timeoutMs + leaseMarginMs) / 1000,
    onRows({ rows, destinations: read }, readAt) {
      destinations.receive(read, readAt);
      // Beside the bodies.
      destinations.readEarly(rows.filter(({ content }) => content === undefined));
    },
  });
  const destinations = createLaneDestinations({ ...options, release });

  const onError = (error: unknown): void =>
    log.error({ err: error }, 'Deliveries could not be claimed; the sweep will try again');
  const newTries = createLoop({
    hasReason: claimer.hasNewTries,
    work: async () => receive(await claimer.claimNewTries()),
    onError,
  });
  const backlogs = createLoop({
    hasReason: claimer.hasBacklogs,
    work: async () => receive(await claimer.claimBacklogs()),
    onError,
  });
  const sweeps = createLoop({
    hasReason: claimer.isSweepDue,
    async work() {
      for await (const deliveries of claimer.sweep()) await receive(deliveries);
    },
    onError,
  });
  const reads = createLoop({
    hasReason: destinations.hasUnread,
    async work() {
      await destinations.read();
      startAttempts();
    },
    onError,
  });

  function claimMore(): void {
    newTries.kick();
    backlogs.kick();
    sweeps.kick();
  }

  async function receive(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length > 0 || !lanes.areIdle())
      ticker ??= setInterval(tick, Math.min(sweepEveryMs, tickMs));
    if (deliveries.length === 0) return;
    const deleted = deliveries.filter((delivery) => delivery.body === null);
    const filled = lanes.add(
      deleted.length === 0 ? deliveries : deliveries.filter(({ body }) => body !== null),
    );
    if (deleted.length > 0) await cancelDeliveries(query, deleted);
    await destinations.prepare(filled);
    startAttempts();
  }

  function startAttempts(): void {
    for (let started = 0; !stopped && writeBack.waiting() < unwrittenMax; started += 1) {
      if (started === startsMax) {
        startSoon();
        break;
      }
      const attempt = lanes.startNext(performance.now(), destinations.ensureValid);
      if (attempt === undefined) break;
      void makeAttempt(attempt);
    }
    reads.kick();
    changed.notify();
  }

  /** Starts attempts after the sockets of this turn of the event loop were read: once for all attempts that ended in it. */
  function startSoon(): void {
    starting ??= setImmediate(() => {
      starting = undefined;
      startAttempts();
    });
  }

  async function makeAttempt(attempt: InFlightAttempt): Promise<void> {
    const { delivery, lane } = attempt;
    const destination = lane.destination!;
    try {
      const { end, restSeconds } = await runAttempt(delivery, destination);
      if (restSeconds > 0 && lane.destination?.url === destination.url) await restLane(lane, restSeconds);
      lanes.finish(attempt, end);
    } catch (error) {
      log.error({ err: error, deliveryId: delivery.deliveryId }, 'A delivery could not be attempted');
      lanes.finish(attempt, undefined);
      await release([delivery], stopped ? 0 : faultWaitSeconds);
    }
    startSoon();
    if (lanes.mayClaimBacklog(lane, performance.now())) backlogs.kick();
    if (claimer.resumeScans()) claimMore();
  }

  async function restLane(lane: Lane, seconds: number): Promise<void> {
    lanes.rest(lane, performance.now() + seconds * 1000);
    const waiting = lanes.takeOut(() => true, [lane]);
    await release(waiting, seconds);
  }

  async function release(deliveries: readonly ClaimedDelivery[], waitSeconds: number): Promise<void> {
    if (deliveries.length === 0) return;
    try {
      await releaseDeliveries(query, deliveries, waitSeconds);
    } catch (error) {
      const { length: count } = deliveries;
      log.error({ err: error, count }, 'Deliveries could not be given back; their leases will end');
    }
  }

  function tick(): void {
    const nowMs = performance.now();
    lanes.moveSlow(nowMs);
    lanes.resumeAll();
    lanes.removeIdle(nowMs);
    // Other workers may take deliveries whose lease might not last, and those that wait for a slow endpoint.
    const isUnwanted = (delivery: ClaimedDelivery, lane: Lane, place: number): boolean =>
      (lane.pace === 'slow' && place >= lane.window) || nowMs - delivery.claimedAt > leaseMarginMs / 2;
    void release(lanes.takeOut(isUnwanted), 0);
    if (nowMs >= restsCheckedAt + sweepEveryMs) {
      restsCheckedAt = nowMs;
      // Nothing else reads the destination of a lane that rests, and its URL may have changed.
      for (const lane of lanes.resting(nowMs)) destinations.ensureValid(lane);
    }
    startAttempts();
    claimMore();
    if (lanes.areIdle()) stopTicks();
  }

  function stopTicks(): void {
    clearInterval(ticker);
    ticker = undefined;
  }

  const sweepTicks = createRepeater({
    everyMs: sweepEveryMs,
    untilWork: () => (lanes.areIdle() ? options.untilWork?.() : undefined),
    run: async () => tick(),
    onFailure: onError,
  });

  const isSending = (): boolean => {
    const { fast, slow } = lanes.inFlight();
    return fast + slow > 0;
  };

  return {
    start(): void {
      sweepTicks.start();
    },
    /** Says that something may be due. `isAlone`: no other worker was notified. Returns at once; never throws. */
    wake({ isAlone } = { isAlone: false }): void {
      if (stopped && isAlone) options.onMore();
      claimer.noteDue();
      newTries.kick();
      sweeps.kick();
    },
    inFlight: lanes.inFlight,
    /** Claims no more, gives back deliveries that were not started, and waits for the others and their results. */
    async stop(): Promise<void> {
      stopped = true;
      changed.notify();
      await sweepTicks.stop();
      await Promise.all([newTries, backlogs, sweeps, reads].map((loop) => loop.settled()));
      stopTicks();
      const unsent = lanes.takeOut(() => true);
      await release(unsent, 0);
      while (isSending()) await changed.wait();
      clearImmediate(starting);
      await writeBack.drain();
    },
  };
}

interface LoopOptions {
  hasReason(): boolean;
  work(): Promise<void>;
  /** The loop has stopped, until it is kicked again. */
  onError(error: unknown): void;
}

/** Work that is repeated while there is a reason, never twice at the same time. */
function createLoop({ hasReason, work, onError }: LoopOptions) {
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    try {
      while (hasReason()) await work();
    } catch (error) {
      onError(error);
    } finally {
      running = undefined;
    }
  };

  return {
    /** Begins if there is a reason. Returns at once; never throws. */
    kick(): void {
      // Without a reason `run` would end before its promise is assigned here, and the loop would look busy for ever.
      if (running === undefined && hasReason()) running = run();
    },
    /** Resolves when the loop has stopped. */
    settled: async (): Promise<void> => running,
  };
}

/** Lets several callers wait for the next change. */
function createSignal() {
  let waiters: (() => void)[] = [];
  return {
    wait: () => new Promise<void>((resolve) => void waiters.push(resolve)),
    notify(): void {
      const woken = waiters;
      waiters = [];
      for (const resolve of woken) resolve();
    },
  };
}
