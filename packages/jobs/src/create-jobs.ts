import type { Transaction } from '@service/database';
import type pg from 'pg';
import type { Job } from './job.ts';

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
}

/** Adds jobs to graphile-worker's queue. */
export function createJobs(pool: pg.Pool): Jobs {
  return {
    async enqueue({ em }, job, payload, options) {
      await em.execute(
        addJob(() => '?'),
        toValues(job, payload, options),
      );
    },
    async enqueueNow(job, payload, options) {
      const values = toValues(job, payload, options);
      await pool.query({ name: 'jobs.add', text: addJob((index) => `$${index}`), values });
    },
  };
}

// `replace` is what makes the job run now; `preserve_run_at` would keep a time set for later.
const addJob = (parameter: (index: number) => string): string => `
  select graphile_worker.add_job(
    identifier => ${parameter(1)}::text,
    payload => ${parameter(2)}::json,
    run_at => ${parameter(3)}::timestamptz,
    max_attempts => ${parameter(4)}::int,
    job_key => ${parameter(5)}::text,
    job_key_mode => 'replace'
  )`;

const toValues = (job: { name: string }, payload: unknown, options: EnqueueOptions = {}): unknown[] => [
  job.name,
  JSON.stringify(payload),
  options.runAt?.toISOString() ?? null,
  options.attemptsMax ?? null,
  options.key ?? null,
];
