import type { Database } from '@service/database';
import type { Log } from '@service/log';
import type { Destination } from '../endpoint/destinations.ts';
import type { EndpointKey } from '../endpoint/endpoint-key.ts';
import { cancelDeliveries, releaseDeliveries, type ClaimedDelivery } from './claim.ts';
import { createIntake } from './intake.ts';
import { createLaneDestinations } from './lane-destinations.ts';
import type { Flight, Lane, Pace } from './lane.ts';
import { createLanes } from './lanes.ts';
import { createSignal } from './signal.ts';
import type { AttemptEnd } from './window.ts';
import type { WriteBack } from './write-back.ts';

interface PumpOptions {
  pool: Database['pool'];
  /** Who claims; nothing is claimed while it is undefined. */
  worker(): number | undefined;
  /** By `endpointKey`; one that is gone is left out. */
  readDestinations(wanted: readonly EndpointKey[]): Promise<Map<string, Destination>>;
  /** Makes one attempt and hands its result to the write-back. Rejects when nothing can be said about the delivery. */
  attempt(delivery: ClaimedDelivery, destination: Destination): Promise<Attempted>;
  writeBack: WriteBack;
  /** Attempts at once to endpoints that answer fast; as many again to those that do not. */
  concurrency: number;
  timeoutMs: number;
  /** How much longer than an attempt a lease lasts: half to wait for a turn, half to write the result. */
  leaseMarginMs: number;
  /** How often to look for what no wake-up announced. */
  sweepEveryMs: number;
  log: Log;
  onClaimed(claim: { count: number; seconds: number }): void;
}

export interface Attempted {
  /** What it says about the endpoint. */
  end: AttemptEnd;
  /** For so long the receiver wants nothing. */
  restSeconds: number;
}

export interface Pump {
  start(): void;
  /** Says that something may be due. Returns at once; never throws. */
  wake(): void;
  /** These endpoints have changed: they are read again before anything more is sent to them. */
  readAgain(endpoints: readonly EndpointKey[]): void;
  inFlight(): Record<Pace, number>;
  /** Claims no more, gives back what was not started, waits for what is in flight and for its results. */
  stop(): Promise<void>;
}

/** Results that may wait for the database before no new attempt starts. */
const unwrittenMax = 5000;

/** After a fault of ours (a secret that does not open) a delivery waits this long, and no try is spent. */
const faultWaitSeconds = 60;

const tickMs = 200;

/** Claims what is due and sends it, lane by lane. */
export function createPump(options: PumpOptions): Pump {
  const { pool, writeBack, concurrency, timeoutMs, leaseMarginMs, sweepEveryMs, log } = options;
  const lanes = createLanes({ concurrency });
  const changed = createSignal();
  let refreshing: Promise<void> | undefined;
  let ticker: NodeJS.Timeout | undefined;
  let stopped = false;

  const release = async (deliveries: readonly ClaimedDelivery[], waitSeconds: number): Promise<void> => {
    if (deliveries.length === 0) return;
    try {
      await releaseDeliveries(pool, deliveries, waitSeconds);
    } catch (error) {
      const { length: count } = deliveries;
      log.error({ err: error, count }, 'Deliveries could not be given back; their leases will end');
    }
  };

  const destinations = createLaneDestinations({
    pool,
    lanes,
    read: options.readDestinations,
    release,
    faultWaitSeconds,
    log,
  });

  const receive = async (deliveries: readonly ClaimedDelivery[]): Promise<void> => {
    if (deliveries.length === 0) return;
    const gone = deliveries.filter((delivery) => delivery.body === null);
    const filled = lanes.add(gone.length === 0 ? deliveries : deliveries.filter(({ body }) => body !== null));
    if (gone.length > 0) await cancelDeliveries(pool, gone);
    await destinations.prepare(filled);
    startAttempts();
  };

  const intake = createIntake({
    pool,
    lanes,
    concurrency,
    sweepEveryMs,
    worker: () => (stopped ? undefined : options.worker()),
    leaseSeconds: (timeoutMs + leaseMarginMs) / 1000,
    receive,
    waitForRoom: changed.wait,
    onClaimed: options.onClaimed,
    log,
  });

  const startAttempts = (): void => {
    while (!stopped && writeBack.waiting() < unwrittenMax) {
      const flight = lanes.next(performance.now(), destinations.isUsable);
      if (flight === undefined) break;
      void fly(flight);
    }
    if (destinations.isStale()) refreshing ??= refreshAndStart();
    changed.notify();
  };

  const refreshAndStart = async (): Promise<void> => {
    await destinations.refresh();
    refreshing = undefined;
    startAttempts();
  };

  const fly = async (flight: Flight): Promise<void> => {
    const { delivery, lane } = flight;
    try {
      const { end, restSeconds } = await options.attempt(delivery, lane.destination!);
      if (restSeconds > 0) await restLane(lane, restSeconds);
      lanes.finish(flight, end);
    } catch (error) {
      log.error({ err: error, deliveryId: delivery.deliveryId }, 'A delivery could not be attempted');
      lanes.finish(flight, undefined);
      await release([delivery], stopped ? 0 : faultWaitSeconds);
    }
    startAttempts();
    intake.claimMoreAfter(lane);
  };

  const restLane = (lane: Lane, seconds: number): Promise<void> => {
    lanes.rest(lane, performance.now() + seconds * 1000);
    const waiting = lanes.takeOut(() => true, [lane]);
    return release(waiting, seconds);
  };

  const tick = (): void => {
    const nowMs = performance.now();
    lanes.moveSlow(nowMs);
    lanes.retryHeldBack();
    // What has waited so long that its lease might not last, or whose endpoint turned out slow, is anybody's again.
    const isUnwanted = (delivery: ClaimedDelivery, lane: Lane, place: number): boolean =>
      (lane.pace === 'slow' && place >= lane.window) || nowMs - delivery.claimedAt > leaseMarginMs / 2;
    void release(lanes.takeOut(isUnwanted), 0);
    startAttempts();
    intake.claimMore();
  };

  const isFlying = (): boolean => {
    const { fast, slow } = lanes.inFlight();
    return fast + slow > 0;
  };

  return {
    start() {
      ticker ??= setInterval(tick, Math.min(sweepEveryMs, tickMs));
      intake.claimMore();
    },
    wake: intake.wake,
    readAgain(endpoints) {
      for (const endpoint of endpoints) lanes.laneOf(endpoint).knownUntil = Number.NEGATIVE_INFINITY;
    },
    inFlight: lanes.inFlight,
    async stop() {
      stopped = true;
      clearInterval(ticker);
      changed.notify();
      await intake.stop();
      await refreshing;
      const unsent = lanes.takeOut(() => true);
      await release(unsent, 0);
      while (isFlying()) await changed.wait();
      await writeBack.drain();
    },
  };
}
