import type { Transaction } from '@service/database';
import type { Log } from '@service/log';
import type pg from 'pg';
import type { Job } from './job.ts';
import { createWaker } from './waker.ts';

export interface EnqueueOptions {
  /** A waiting job with the same key is replaced, so there is at most one. One that already runs is not touched. */
  key?: string;
  runAt?: Date;
  /** Tries, with graphile-worker's own growing waits between them; 25 by default. */
  attemptsMax?: number;
}

export interface Jobs {
  /** Adds a job in the caller's transaction: it exists if and only if the transaction commits. */
  enqueue<Payload>(
    tx: Pick<Transaction, 'em'>,
    job: Job<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Adds a job at once. */
  enqueueNow<Payload>(job: Job<Payload>, payload: Payload, options?: EnqueueOptions): Promise<void>;
  /**
   * Says that there is work, after a commit: one keyed job stands for all calls within 10 ms. Returns at once and never
   * throws. A wake-up can get lost with its process, so the work itself must also be found by a sweep.
   */
  wake(job: Job<Record<string, never>>): void;
  /** Sends the wake-ups that still wait. Later ones are ignored. */
  close(): Promise<void>;
}

/** Adds jobs to graphile-worker's queue. `log` hears of wake-ups that failed. */
export function createJobs(pool: pg.Pool, log: Log): Jobs {
  const enqueueNow: Jobs['enqueueNow'] = async (job, payload, options) => {
    const values = toValues(job, payload, options);
    await pool.query({ name: 'jobs.add', text: addJob((index) => `$${index}`), values });
  };
  const waker = createWaker<Job<Record<string, never>>>({
    async send(job) {
      await pool.query({ ...addWakeUp, values: toValues(job, {}, { key: job.name }) });
    },
    log,
  });

  return {
    async enqueue({ em }, job, payload, options) {
      await em.execute(
        addJob(() => '?'),
        toValues(job, payload, options),
      );
    },
    enqueueNow,
    wake: (job) => waker.wake(job),
    close: () => waker.close(),
  };
}

// `replace` is what makes a wake-up run now; `preserve_run_at` would keep a time set for later.
const addJob = (parameter: (index: number) => string): string => `
  select graphile_worker.add_job(
    identifier => ${parameter(1)}::text,
    payload => ${parameter(2)}::json,
    run_at => ${parameter(3)}::timestamptz,
    max_attempts => ${parameter(4)}::int,
    job_key => ${parameter(5)}::text,
    job_key_mode => 'replace'
  )`;

// The disk is not waited for: a wake-up that a crash takes with it is one that got lost, and on a busy machine a hundred of
// them a second would have the disk to themselves for a tenth of the time.
const addWakeUp = {
  name: 'jobs.wake',
  text: `select set_config('synchronous_commit', 'off', true), woken.* from (${addJob((index) => `$${index}`)}) woken`,
};

const toValues = (job: { name: string }, payload: unknown, options: EnqueueOptions = {}): unknown[] => [
  job.name,
  JSON.stringify(payload),
  options.runAt?.toISOString() ?? null,
  options.attemptsMax ?? null,
  options.key ?? null,
];
