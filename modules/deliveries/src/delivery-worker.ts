import type { Database } from '@service/database';
import type { Log } from '@service/log';
import type { OutboundAgent } from '@service/outbound-http';
import type { SecretBox } from '@service/secrets';
import { createSender } from './attempt/send.ts';
import { settle, settleProbe } from './attempt/settle.ts';
import { createDestinations, type Destination } from './endpoint/destinations.ts';
import { createHealthNotes } from './endpoint/note-health.ts';
import type { ClaimedDelivery } from './queue/claim.ts';
import { createPresence } from './queue/presence.ts';
import { createPump, type Attempted } from './queue/pump.ts';
import { createWriteBack } from './queue/write-back.ts';
import { createUpkeep } from './queue/upkeep.ts';
import type { Refire } from './redelivery/redeliver.ts';
import type { DeliveryFailure } from './schemas.ts';

/** Is told of what a worker does, for its metrics. */
export interface DeliveryObserver {
  attempted(attempt: { outcome: 'success' | DeliveryFailure; durationMs: number; queuedMs: number }): void;
  /** One look at the queue. */
  claimed(claim: { count: number; seconds: number }): void;
  /** `late` results had lost their lease and changed nothing. */
  wroteBack(batch: { count: number; late: number; seconds: number }): void;
  /** Deliveries of a worker that died. */
  recovered(count: number): void;
}

export interface DeliveryWorkerOptions {
  database: Pick<Database, 'pool' | 'connect' | 'transaction'>;
  secretBox: SecretBox;
  /** Closed by the caller, after `stop`. */
  agent: OutboundAgent;
  /** Makes the body of a redelivery. */
  refire: Refire;
  /** Seconds before each try; the length is the number of tries. */
  retryScheduleSeconds: readonly number[];
  timeoutMs: number;
  /** Attempts at once to endpoints that answer fast; as many again to those that do not. */
  concurrency: number;
  log: Log;
  observer?: Partial<DeliveryObserver>;
  /** How often to look for what no wake-up announced: retries, probes, and wake-ups that got lost. */
  sweepEveryMs?: number;
  /** How often to look for what should not be there. */
  seldomEveryMs?: number;
  leaseMarginMs?: number;
  /** How long another worker may be missing before its deliveries are taken. */
  missingMaxMs?: number;
}

export interface DeliveryWorker {
  start(): void;
  /** Stops claiming and resolves when every attempt in flight is finished and recorded, at most timeoutMs later. */
  stop(): Promise<void>;
  /** Attempts under way, to endpoints that answer fast and to those that do not. */
  inFlight(): { fast: number; slow: number };
  /** When the queue was last looked at, or a result last written. */
  lastProgressAt(): Date;
}

/** Everything a worker process needs to deliver. */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { database, agent, secretBox, retryScheduleSeconds, timeoutMs, concurrency, log } = options;
  const {
    observer = {},
    sweepEveryMs = 1000,
    seldomEveryMs = 60_000,
    leaseMarginMs = 5000,
    missingMaxMs,
  } = options;
  const { pool } = database;
  let progressAt = new Date();
  const onProgress = (): void => void (progressAt = new Date());

  const presence = createPresence({
    database,
    onWake: () => pump.wake(),
    onRecovered: (count) => observer.recovered?.(count),
    log,
    ...(missingMaxMs === undefined ? {} : { missingMaxMs }),
  });
  const send = createSender({ agent, timeoutMs });
  const health = createHealthNotes({ pool, log, onNoted: (endpoints) => pump.readAgain(endpoints) });
  const writeBack = createWriteBack({
    pool,
    log,
    onWritten(batch) {
      onProgress();
      observer.wroteBack?.(batch);
    },
  });

  const attempt = async (delivery: ClaimedDelivery, destination: Destination): Promise<Attempted> => {
    const sentAt = presence.now();
    const { deliveryId, accountId, endpointId } = delivery;
    const body = delivery.body!;
    const { url } = destination;
    const { outcome, signatures } = await send({ deliveryId, body, url, keys: destination.keys!, sentAt });
    const number = delivery.attempts + 1;
    const { restSeconds, ...settlement } = (delivery.isProbe ? settleProbe : settle)(outcome, {
      attempt: number,
      tries: delivery.tries,
      scheduleSeconds: retryScheduleSeconds,
      now: sentAt,
      random: Math.random(),
    });
    const { failure, responseCode } = settlement;
    const { durationMs, timings, redirects } = outcome;
    writeBack.add({
      ...settlement,
      ...signatures,
      deliveryId,
      accountId,
      claim: delivery.claim,
      number,
      url,
      startedAt: sentAt.toISOString(),
      durationMs,
      timings,
      redirects,
    });
    health.add({ accountId, endpointId, failure, responseCode, health: destination.health });
    observer.attempted?.({ outcome: failure ?? 'success', durationMs, queuedMs: delivery.queuedMs });
    return { end: { succeeded: failure === null, durationMs }, restSeconds };
  };

  const pump = createPump({
    pool,
    worker: presence.number,
    readDestinations: createDestinations({ pool, secretBox, log }),
    attempt,
    writeBack,
    concurrency,
    timeoutMs,
    leaseMarginMs,
    sweepEveryMs,
    log,
    onClaimed(claim) {
      onProgress();
      observer.claimed?.(claim);
    },
  });
  const upkeep = createUpkeep(
    {
      database,
      refire: options.refire,
      scheduleSeconds: retryScheduleSeconds,
      wake: () => pump.wake(),
      seldomEveryMs,
      now: presence.now,
    },
    log,
  );

  return {
    start() {
      presence.start();
      pump.start();
      upkeep.start(sweepEveryMs);
    },
    async stop() {
      // Together: the upkeep may take a while, and nothing more may be claimed or started meanwhile.
      await Promise.all([pump.stop(), upkeep.stop()]);
      await health.drain();
      await presence.stop();
    },
    inFlight: pump.inFlight,
    lastProgressAt: () => progressAt,
  };
}
