import type { Database } from '@service/database';
import { defineJob, defineTask, type JobTask } from '@service/jobs';
import type { Log } from '@service/log';
import type { OutboundAgent } from '@service/outbound-http';
import type { SecretBox } from '@service/secrets';
import { z } from 'zod';
import type { ClaimedDelivery } from './claim.ts';
import { measureBacklog } from './claim.sql.ts';
import { createPump } from './pump.ts';
import type { DeliveryFailure } from './schemas.ts';
import { createSender } from './send.ts';
import { settle } from './settle.ts';
import { createWriteBack } from './write-back.ts';

/** Wakes a worker's pump. A job carries no delivery: what is due says the queue table. */
export const pumpJob = defineJob({ name: 'deliveries.pump', payload: z.object({}) });

export interface DeliveryTasksOptions {
  database: Pick<Database, 'pool'>;
  secretBox: SecretBox;
  /** Closed by the caller, after `stop`. */
  agent: OutboundAgent;
  /** Seconds before each try; the length is the number of tries. */
  retryScheduleSeconds: readonly number[];
  timeoutMs: number;
  /** Deliveries in flight at once. */
  concurrency: number;
  log: Log;
  /** For the timestamps that are sent and recorded; what is due is decided by the database's clock. */
  now?: () => Date;
  onAttempt?: (attempt: { outcome: 'success' | DeliveryFailure; durationMs: number }) => void;
  /** How often to look for what no wake-up announced: retries, and wake-ups that got lost. */
  sweepEveryMs?: number;
  leaseMarginMs?: number;
}

export interface DeliveryTasks {
  tasks: JobTask[];
  /** Starts looking by the clock. */
  start(): void;
  /** Stops claiming and resolves when every attempt in flight is finished and recorded, at most timeoutMs later. */
  stop(): Promise<void>;
  inFlight(): number;
  /** When the queue was last looked at, or a result last written. */
  lastProgressAt(): Date;
  backlog(): Promise<{ due: number; oldestAgeSeconds: number }>;
}

/** Everything a worker process needs to deliver. */
export function createDeliveryTasks(options: DeliveryTasksOptions): DeliveryTasks {
  const { database, agent, secretBox, retryScheduleSeconds, timeoutMs, concurrency, log } = options;
  const { now = () => new Date(), onAttempt, sweepEveryMs = 1000, leaseMarginMs = 5000 } = options;
  let progressAt = new Date();
  const onProgress = (): void => void (progressAt = new Date());

  const { pool } = database;
  const send = createSender({ agent, secretBox, timeoutMs });
  const writeBack = createWriteBack({ pool, log, onWritten: onProgress });

  const attempt = async (delivery: ClaimedDelivery): Promise<void> => {
    const startedAt = now();
    const outcome = await send(delivery, startedAt);
    const number = delivery.attempts + 1;
    const settlement = settle(outcome, {
      attempt: number,
      scheduleSeconds: retryScheduleSeconds,
      random: Math.random(),
    });
    writeBack.add({
      ...settlement,
      deliveryId: delivery.deliveryId,
      accountId: delivery.accountId,
      claim: delivery.claim,
      number,
      url: delivery.url,
      startedAt: startedAt.toISOString(),
      durationMs: outcome.durationMs,
    });
    onAttempt?.({ outcome: settlement.failure ?? 'success', durationMs: outcome.durationMs });
  };

  const pump = createPump({
    pool,
    attempt,
    writeBack,
    concurrency,
    timeoutMs,
    leaseMarginMs,
    log,
    onProgress,
  });
  let ticker: NodeJS.Timeout | undefined;

  return {
    tasks: [defineTask(pumpJob, async () => pump.wake())],
    start() {
      pump.wake();
      ticker ??= setInterval(() => pump.wake(), sweepEveryMs);
    },
    async stop() {
      clearInterval(ticker);
      await pump.stop();
    },
    inFlight: () => pump.inFlight(),
    lastProgressAt: () => progressAt,
    async backlog() {
      const { rows } = await pool.query<{ due: number; oldest_age_seconds: number }>(measureBacklog);
      return { due: rows[0]!.due, oldestAgeSeconds: rows[0]!.oldest_age_seconds };
    },
  };
}
