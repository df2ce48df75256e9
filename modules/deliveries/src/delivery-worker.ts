import type { DeliveryFailure } from '@service/catalogue';
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import type { OutboundAgent } from '@service/outbound-http';
import type { SecretBox } from '@service/secrets';
import { createSend } from './attempt/create-send.ts';
import type { EndpointKey } from './endpoint/endpoint.ts';
import { createHealthReports } from './endpoint/health-reports.ts';
import { createDestinationOpener } from './endpoint/destinations.ts';
import { createWriteBack } from './queue/write-back.ts';
import type { Refire } from './redelivery/redeliver.ts';
import { createAttemptRunner } from './sender/attempt-runner.ts';
import { createLanes } from './sender/lanes.ts';
import { createLiveness } from './sender/liveness.ts';
import { createSender } from './sender/sender.ts';
import { createUpkeep } from './sender/upkeep.ts';
import { defaultQuota, type Quota } from './usage/quota.ts';

/** Receives counts and times of a worker, for its metrics. */
export interface DeliveryObserver {
  attempted(attempt: { outcome: 'success' | DeliveryFailure; durationMs: number; queuedMs: number }): void;
  /** One claim statement was run. */
  claimed(claim: { count: number; seconds: number }): void;
  /** `late` results had lost their lease and changed nothing. */
  wroteBack(batch: { count: number; late: number; seconds: number }): void;
  /** Claims of a dead worker were released. */
  tookOver(count: number): void;
}

export type OnChanged = (accountId: string, what: 'deliveries' | 'endpoints') => void;

export interface DeliveryWorkerOptions {
  database: Pick<Database, 'query' | 'connect' | 'transaction'>;
  secretBox: SecretBox;
  /** The caller closes the agent after `stop`. */
  agent: OutboundAgent;
  /** Makes the body of a redelivery. */
  refire: Refire;
  /** Seconds before each try. The length is the number of tries. */
  retryScheduleSeconds: readonly number[];
  /** The limits of an account. Recoveries wait while they are reached. */
  quota?: Quota | undefined;
  timeoutMs: number;
  /** Attempts in flight to endpoints that answer fast; slow endpoints get as many slots again. */
  concurrency: number;
  log: Log;
  observer?: Partial<DeliveryObserver>;
  /** Called after deliveries of an account, or the health and recoveries of its endpoints, have changed. Must not throw. */
  onChanged?: OnChanged;
  /** The period of the sweep, which finds retries, probes and lost wake-ups. */
  sweepEveryMs?: number;
  /** The period of checks for rare leftovers. */
  seldomEveryMs?: number;
  /** A lease lasts this much longer than an attempt may take. */
  leaseMarginMs?: number;
  /** The claims of another worker are taken over when it has been missing for this long. */
  missingMaxMs?: number;
}

export interface DeliveryWorker {
  start(): void;
  /** Stops claiming. Resolves when every attempt in flight has ended and is recorded, after timeoutMs at most. */
  stop(): Promise<void>;
  inFlight(): { fast: number; slow: number };
  /** The time of the last claim or of the last recorded result. */
  lastProgressAt(): Date;
}

/** Composes everything that a worker process needs to deliver. */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { database, agent, secretBox, retryScheduleSeconds, timeoutMs, concurrency, log } = options;
  const { observer = {}, sweepEveryMs = 1000, seldomEveryMs = 60_000, leaseMarginMs = 5000 } = options;
  const { query } = database;
  const onChanged = options.onChanged ?? (() => undefined);
  let progressAt = new Date();
  const onProgress = (): void => void (progressAt = new Date());

  const liveness = createLiveness({
    database,
    onTakenOver: (count) => observer.tookOver?.(count),
    log,
    ...(options.missingMaxMs === undefined ? {} : { missingMaxMs: options.missingMaxMs }),
  });
  const lanes = createLanes({ concurrency });
  const onRecorded = (endpoints: readonly EndpointKey[]): void => {
    lanes.expireDestinations(endpoints);
    for (const { accountId } of endpoints) onChanged(accountId, 'endpoints');
  };
  const healthReports = createHealthReports({ database, log, onRecorded });
  const writeBack = createWriteBack({
    query,
    log,
    onWritten({ accountIds, ...batch }) {
      onProgress();
      observer.wroteBack?.(batch);
      for (const accountId of accountIds) onChanged(accountId, 'deliveries');
    },
  });
  const runAttempt = createAttemptRunner({
    send: createSend({ agent, timeoutMs }),
    writeBack,
    healthReports,
    scheduleSeconds: retryScheduleSeconds,
    now: liveness.now,
    onAttempted: (attempt) => observer.attempted?.(attempt),
  });
  const sender = createSender({
    query,
    lanes,
    worker: liveness.number,
    openDestinations: createDestinationOpener({ query, secretBox, log }),
    runAttempt,
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
      quota: options.quota ?? defaultQuota,
      wake: sender.wake,
      onChanged,
      everyMs: sweepEveryMs,
      seldomEveryMs,
      now: liveness.now,
    },
    log,
  );

  return {
    start() {
      liveness.start(sender.wake);
      sender.start();
      upkeep.start();
    },
    async stop() {
      // Together: the upkeep may take a while, and nothing more may be claimed or started in the meantime.
      await Promise.all([sender.stop(), upkeep.stop()]);
      await healthReports.drain();
      await liveness.stop();
    },
    inFlight: sender.inFlight,
    lastProgressAt: () => progressAt,
  };
}
