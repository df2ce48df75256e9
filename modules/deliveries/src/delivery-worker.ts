import { createRepeater, type Repeater, type UntilWork } from '@service/background';
import type { DeliveryFailure } from '@service/catalogue';
import { anyOf, dueBy, hasRow, isFirstDue, type Database } from '@service/database';
import type { Log } from '@service/log';
import type { OutboundAgent } from '@service/outbound-http';
import type { SecretBox } from '@service/secrets';
import { defaultQuota, markFullEndpoints, unansweredMax, type Quota } from './account/quota.ts';
import { parkDue, releaseParked } from './account/suspended-accounts.ts';
import { advanceCancellations } from './endpoint/cancel-waiting.ts';
import type { EndpointKey } from './endpoint/endpoint.ts';
import { deleteOldNotices } from './endpoint/notices.ts';
import { createDestinationOpener } from './endpoint/open-destinations.ts';
import { createHealthReports, drainEndpoints, releaseOrphaned } from './endpoint/record-health.ts';
import { advanceFlushes } from './endpoint/send-waiting.ts';
import { advanceRecoveries, type AdvanceOptions } from './redelivery/advance-recoveries.ts';
import type { Refire } from './redelivery/redeliver.ts';
import { createWakeOfAll } from './queue/wake.ts';
import { createAttemptRunner } from './send/attempt.ts';
import type { FindJoinUrls } from './send/join-url.ts';
import { createLanes } from './send/lanes.ts';
import { createLiveness } from './send/liveness.ts';
import { createSender } from './send/sender.ts';
import { createWriteBack } from './send/write-back.ts';
import { countQuarters } from './statistics/delivery-count.ts';

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

/** Unhealthy endpoints whose states a condition reads. With more of them it is true, and the rounds read them all, as they always did. */
const unhealthyMax = 1000;

const isEndpointDue = (state: 'draining' | 'paused'): string => `(
  select count(*) = ${unhealthyMax} or coalesce(bool_or(state = '${state}' and probe_at <= ${dueBy}), false)
  from (select state, probe_at from deliveries.endpoint_health limit ${unhealthyMax}) unhealthy)`;

/** True if a sweep, the probes in it, and the upkeep may find something. A paused endpoint counts also when nothing is parked for it. */
export const deliveryWork = {
  due_deliveries: anyOf([
    isFirstDue({ table: 'deliveries.due', time: 'due_at', where: 'attempts = 0' }),
    isFirstDue({ table: 'deliveries.due', time: 'due_at', where: 'attempts > 0' }),
  ]),
  due_probes: isEndpointDue('paused'),
  delivery_upkeep: anyOf([
    hasRow({ table: 'deliveries.cancellation', order: 'account_id' }),
    isFirstDue({ table: 'deliveries.flush', time: 'next_at', where: `state = 'running'` }),
    isFirstDue({ table: 'deliveries.recovery', time: 'next_at', where: `state = 'running'` }),
    hasRow({ table: 'deliveries.suspended_account', order: 'account_id' }),
    isEndpointDue('draining'),
  ]),
};

/** Resolves to false if a round of the work would find nothing. */
type MayFind = (work: keyof typeof deliveryWork) => Promise<boolean>;

type OnChanged = (accountId: string, what: 'deliveries' | 'endpoints') => void;

export interface DeliveryWorkerOptions {
  database: Pick<Database, 'query' | 'connect' | 'transaction'>;
  secretBox: SecretBox;
  /** The caller closes the agent after `stop`. */
  agent: OutboundAgent;
  /** Makes the body of a redelivery. */
  refire: Refire;
  findJoinUrls: FindJoinUrls;
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
  /** By default every sweep and every upkeep reads all that it may find. */
  mayFind?: MayFind;
  untilWork?: UntilWork;
  /** A lease lasts this much longer than an attempt may take. */
  leaseMarginMs?: number;
  /** The claims of another worker are taken over when it has been missing for this long. */
  missingMaxMs?: number;
}

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** Composes everything that a worker process needs to deliver. */
export function createDeliveryWorker(options: DeliveryWorkerOptions) {
  const { database, agent, secretBox, retryScheduleSeconds, timeoutMs, concurrency, log } = options;
  const { observer = {}, sweepEveryMs = 1000, seldomEveryMs = 60_000, leaseMarginMs = 5000 } = options;
  const { query } = database;
  const onChanged = options.onChanged ?? (() => undefined);
  const mayFind = options.mayFind ?? (async () => true);
  let progressAt = new Date();
  const onProgress = (): void => void (progressAt = new Date());

  const liveness = createLiveness({
    database,
    onTakenOver: (count) => observer.tookOver?.(count),
    log,
    missingMaxMs: options.missingMaxMs,
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
    agent,
    timeoutMs,
    writeBack,
    healthReports,
    scheduleSeconds: retryScheduleSeconds,
    now: liveness.now,
    onAttempted: (attempt) => observer.attempted?.(attempt),
  });
  const wakeAll = createWakeOfAll(query, log);
  const sender = createSender({
    query,
    findJoinUrls: options.findJoinUrls,
    lanes,
    worker: liveness.number,
    scanQuery: liveness.query,
    now: liveness.now,
    destinationOpener: createDestinationOpener({ query, secretBox, log }),
    runAttempt,
    writeBack,
    concurrency,
    timeoutMs,
    leaseMarginMs,
    sweepEveryMs,
    async mayFind(work) {
      const isWanted = await mayFind(work);
      if (!isWanted) onProgress();
      return isWanted;
    },
    untilWork: options.untilWork,
    log,
    onClaimed(claim) {
      onProgress();
      observer.claimed?.(claim);
    },
    onMore: wakeAll,
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
      mayFind,
      untilWork: options.untilWork,
      now: liveness.now,
    },
    log,
  );

  return {
    start(): void {
      liveness.start(sender.wake);
      sender.start();
      upkeep.start();
    },
    /** Stops claiming. Resolves when every attempt in flight has ended and is recorded, after timeoutMs at most. */
    async stop(): Promise<void> {
      // Together: the upkeep may take a while, and nothing more may be claimed or started in the meantime.
      await Promise.all([sender.stop(), upkeep.stop()]);
      await healthReports.drain();
      await wakeAll.close();
      await liveness.stop();
    },
    inFlight: sender.inFlight,
    /** The time of the last claim, of the last recorded result, or of the last look that found nothing due. */
    lastProgressAt: (): Date => progressAt,
  };
}

interface UpkeepOptions extends Omit<AdvanceOptions, 'now'> {
  database: Pick<Database, 'query' | 'transaction'>;
  everyMs: number;
  /** The period of work that is rarely needed. */
  seldomEveryMs: number;
  mayFind: MayFind;
  untilWork: UntilWork | undefined;
  now(): Date;
}

/**
 * Repeated work beside the sending, about once a second in every worker while there is some: releases parked deliveries of endpoints that answer again and of resumed accounts, parks those of suspended accounts, advances
 * cancellations, flushes and recoveries, marks endpoints that never answered and are full, and counts deliveries for histograms.
 */
function createUpkeep(
  { database, everyMs, seldomEveryMs, mayFind, untilWork, now, ...options }: UpkeepOptions,
  log: Log,
): Repeater {
  const { query } = database;
  let seldomAt = performance.now() + seldomEveryMs;

  return createRepeater({
    everyMs,
    untilWork,
    async run() {
      if (performance.now() >= seldomAt) {
        seldomAt = performance.now() + seldomEveryMs;
        await query(releaseOrphaned, []);
        await query(deleteOldNotices, []);
        await query(markFullEndpoints, [unansweredMax]);
        await countQuarters(database);
      }
      if (!(await mayFind('delivery_upkeep'))) return;
      await advanceCancellations(database, options);
      await advanceFlushes(database, options);
      const drained = await drainEndpoints(database);
      const [released] = await query(releaseParked, []);
      if (drained + released!.count > 0) options.wake();
      await query(parkDue, []);
      await advanceRecoveries(database, { ...options, now: now() });
    },
    onFailure: (error) => log.error({ err: error }, 'The upkeep of deliveries failed and is tried again'),
  });
}
