import type { Database } from '@service/database';
import type { Log } from '@service/log';
import { cancelDeliveries, claimDeliveries, releaseDeliveries, type ClaimedDelivery } from './claim.ts';
import type { WriteBack } from './write-back.ts';

interface PumpOptions {
  pool: Database['pool'];
  /** Makes one attempt and hands its result to the write-back. Rejects when nothing can be said about the delivery. */
  attempt(delivery: ClaimedDelivery): Promise<void>;
  writeBack: WriteBack;
  /** Deliveries in flight at once. */
  concurrency: number;
  timeoutMs: number;
  /** How much longer than an attempt a lease lasts: half to wait for a lane, half to write the result. */
  leaseMarginMs: number;
  log: Log;
  onProgress: () => void;
}

export interface Pump {
  /** Says that something may be due. Returns at once; never throws. */
  wake(): void;
  inFlight(): number;
  /** Claims no more, gives back what was not started, waits for what is in flight and for its results. */
  stop(): Promise<void>;
}

/** Results that may wait for the database before no new attempt starts. */
const unwrittenMax = 5000;

/** After a fault of ours (a secret that does not open) a delivery waits this long, and no try is spent. */
const faultWaitSeconds = 60;

/**
 * Moves due deliveries through `concurrency` lanes. It claims four times as many as there are lanes, and more when half
 * of them have started, so that lanes never wait for the database. It ends when nothing is due and begins when woken.
 */
export function createPump(options: PumpOptions): Pump {
  const { pool, attempt, writeBack, concurrency, timeoutMs, leaseMarginMs, log, onProgress } = options;
  const claimMax = 4 * concurrency;
  const leaseSeconds = (timeoutMs + leaseMarginMs) / 1000;
  let buffer: ClaimedDelivery[] = [];
  let lanes = 0;
  /** Every lane waits for a slow receiver and what was claimed behind them had to be given back. */
  let heldUp = false;
  let running: Promise<void> | undefined;
  let wokenAgain = false;
  let stopped = false;
  const changed = createSignal();

  const run = async (): Promise<void> => {
    try {
      do {
        wokenAgain = false;
        await claimUntilDry();
      } while (wokenAgain && !stopped);
    } catch (error) {
      log.error({ err: error }, 'Deliveries could not be claimed; the sweep will try again');
    } finally {
      running = undefined;
    }
  };

  const claimUntilDry = async (): Promise<void> => {
    for (;;) {
      while ((buffer.length > claimMax / 2 || heldUp) && !stopped) await changed.wait();
      if (stopped) return;
      const limit = claimMax - buffer.length;
      const claim = await claimDeliveries(pool, { limit, leaseSeconds });
      onProgress();
      buffer.push(...claim.deliveries);
      fillLanes();
      if (claim.orphans.length > 0) await cancelDeliveries(pool, claim.orphans);
      if (claim.count < limit) return;
    }
  };

  const fillLanes = (): void => {
    giveBackStale();
    while (!stopped && lanes < concurrency && buffer.length > 0 && writeBack.waiting() < unwrittenMax) {
      void occupyLane(buffer.shift()!);
    }
    changed.notify();
  };

  // What has waited so long that its lease might not last goes to whichever worker has room. The oldest are in front.
  const giveBackStale = (): void => {
    if (buffer.length === 0 || !isStale(buffer[0]!)) return;
    const stale = buffer.filter(isStale);
    buffer = buffer.slice(stale.length);
    heldUp = lanes === concurrency;
    void release(stale, 0);
  };

  const isStale = (delivery: ClaimedDelivery): boolean =>
    performance.now() - delivery.claimedAt > leaseMarginMs / 2;

  const occupyLane = async (delivery: ClaimedDelivery): Promise<void> => {
    lanes += 1;
    try {
      await attempt(delivery);
    } catch (error) {
      log.error({ err: error, deliveryId: delivery.deliveryId }, 'A delivery could not be attempted');
      await release([delivery], stopped ? 0 : faultWaitSeconds);
    }
    lanes -= 1;
    heldUp = false;
    fillLanes();
  };

  const release = async (deliveries: ClaimedDelivery[], waitSeconds: number): Promise<void> => {
    try {
      await releaseDeliveries(pool, deliveries, waitSeconds);
    } catch (error) {
      log.error(
        { err: error, count: deliveries.length },
        'Deliveries could not be given back; their leases will end',
      );
    }
  };

  return {
    wake() {
      if (stopped) return;
      wokenAgain = true;
      // Also when nothing ends, which is otherwise what moves the lanes on.
      fillLanes();
      running ??= run();
    },
    inFlight: () => lanes,
    async stop() {
      stopped = true;
      changed.notify();
      await running;
      const unsent = buffer;
      buffer = [];
      if (unsent.length > 0) await release(unsent, 0);
      while (lanes > 0) await changed.wait();
      await writeBack.drain();
    },
  };
}

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
