import { setTimeout as delay } from 'node:timers/promises';
import { serviceMigrations } from '@service/composition';
import { findSchemaProblem, findWriteFault, type Database } from '@service/database';
import { createReadinessLog, type DescriptorWatch } from '@service/lifecycle';
import type { Log } from '@service/log';
import { describeOffset, type ClockCheck } from './clock-check.ts';
import type { Work } from './start-work.ts';

interface ReadinessOptions {
  database: Pick<Database, 'pool'>;
  /** Undefined while work is stopped: the schema has a problem, or the last start failed. */
  work: () => Pick<Work, 'deliveries' | 'mails' | 'contacts' | 'runner' | 'repeats'> | undefined;
  clocks: Pick<ClockCheck, 'isAgreed' | 'aheadMs'>;
  descriptors: Pick<DescriptorWatch, 'isNearlyUsedUp'>;
  webhookTimeoutMs: number;
  /** The maximum age of the last progress of the queues and the clocks. */
  progressMaxAgeMs?: number;
  log: Pick<Log, 'info' | 'warn'>;
}

/** `warnings` are for people. A worker with warnings is still ready. */
export type Readiness = () => Promise<{ ready: boolean; status: string; warnings: string[] }>;

/** A healthy worker reads its queues every second or two. */
const progressMaxAgeUsualMs = 30_000;
const answerMaxMs = 2000;

const explanations = {
  read_only: 'database is read-only',
  no_space: 'database has no space to write',
} as const;

/**
 * Says whether this worker works: it has free descriptors, the database answers and takes writes, its schema is one that this version works with, and the delivery queue, the
 * mail queue, the queue of contacts, the job queue and the repeated work have made progress lately. The delivery queue may make none while all attempts wait for their
 * deadline. A worker with a wrong clock is ready: it sends deliveries by the database's clock, and a restart would not set its
 * own clock.
 */
export function createReadiness({
  database,
  work,
  clocks,
  descriptors,
  webhookTimeoutMs,
  progressMaxAgeMs = progressMaxAgeUsualMs,
  log,
}: ReadinessOptions): Readiness {
  const logStatus = createReadinessLog(log);
  const deliveriesMaxAgeMs = progressMaxAgeMs + webhookTimeoutMs;

  const isStill = (progressAt: Date): boolean => Date.now() - progressAt.getTime() > progressMaxAgeMs;

  const check = async (): Promise<string> => {
    if (descriptors.isNearlyUsedUp()) return 'descriptors nearly used up';
    // Read here too: work notices a problem up to 5 s later.
    const problem = await findSchemaProblem(database.pool, serviceMigrations);
    if (problem) return problem.status;
    const fault = await findWriteFault(database.pool);
    if (fault) return explanations[fault];
    const running = work();
    if (!running) return 'work is stopped';
    const { deliveries, mails, contacts, runner, repeats } = running;
    if (Date.now() - deliveries.lastProgressAt().getTime() > deliveriesMaxAgeMs)
      return 'deliveries stand still';
    if (isStill(mails.lastProgressAt())) return 'mails stand still';
    if (isStill(contacts.lastProgressAt())) return 'contacts stand still';
    if (isStill(runner.lastProgressAt())) return 'jobs stand still';
    const still = repeats.find(({ lastSuccessAt }) => isStill(lastSuccessAt()));
    return still ? `${still.name} stands still` : 'ok';
  };

  return async () => {
    const unreachable = 'database unreachable';
    const late = delay(answerMaxMs, unreachable, { ref: false });
    const status = await Promise.race([check().catch(() => unreachable), late]);
    logStatus(status);
    return { ready: status === 'ok', status, warnings: clockWarnings(clocks) };
  };
}

function clockWarnings({ isAgreed, aheadMs }: ReadinessOptions['clocks']): string[] {
  const offsetMs = aheadMs();
  if (offsetMs === undefined || isAgreed()) return [];
  return [`${describeOffset(offsetMs)}; maintenance, sessions and timers are left to other workers`];
}
