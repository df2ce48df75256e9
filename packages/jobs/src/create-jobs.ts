import { queryOn, statement, type Transaction } from '@service/database';
import type pg from 'pg';
import type { Job } from './job.ts';

export interface EnqueueOptions {
  /** Replaces a waiting job with the same key, so that at most one waits. A running job is not changed. */
  key?: string;
  runAt?: Date;
  /** Attempts, with the growing waits of graphile-worker between them; 25. */
  attemptsMax?: number;
}

export interface Jobs {
  /** Adds a job in the caller's transaction: it exists if and only if the transaction commits. */
  enqueue<Payload>(
    tx: Pick<Transaction, 'query'>,
    job: Job<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Adds a job outside a transaction. */
  enqueueNow<Payload>(job: Job<Payload>, payload: Payload, options?: EnqueueOptions): Promise<void>;
}

/** Adds jobs to graphile-worker's queue. */
export function createJobs(pool: pg.Pool): Jobs {
  const queryNow = queryOn(pool);
  return {
    async enqueue({ query }, job, payload, options) {
      await query(addJob, toValues(job, payload, options));
    },
    async enqueueNow(job, payload, options) {
      await queryNow(addJob, toValues(job, payload, options));
    },
  };
}

// `replace` also replaces the time of the waiting job. `preserve_run_at` would keep it.
const addJob = statement({
  name: 'jobs.add',
  text: `
    select graphile_worker.add_job(
      identifier => $1::text,
      payload => $2::json,
      run_at => $3::timestamptz,
      max_attempts => $4::int,
      job_key => $5::text,
      job_key_mode => 'replace'
    )`,
});

const toValues = (job: { name: string }, payload: unknown, options: EnqueueOptions = {}): unknown[] => [
  job.name,
  JSON.stringify(payload),
  options.runAt?.toISOString() ?? null,
  options.attemptsMax ?? null,
  options.key ?? null,
];
