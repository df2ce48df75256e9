import { queryOn, statement, type Transaction } from '@service/database';
import type { Log } from '@service/log';
import type pg from 'pg';
import type { z } from 'zod';

/** A kind of work that any worker does later. The name is `module.verb`. */
export interface Job<Payload = unknown> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
}

/** The second argument of every task. */
export interface JobContext {
  log: Log;
  /** Aborts when the worker stops and does not wait any longer. */
  signal: AbortSignal;
}

/** A job with its code. Only workers have tasks. */
export interface JobTask {
  readonly name: string;
  run(payload: unknown, context: JobContext): Promise<void>;
}

/** Jobs with this flag run only in workers whose clock agrees with the database's. Every cron has it. */
export const agreedClockFlag = 'agreed_clock';

/** Scheduled work. `pattern` is five cron fields in UTC, by the database's clock. One worker runs it. */
export interface CronTask {
  readonly name: string;
  readonly pattern: string;
  run(context: JobContext): Promise<void>;
}

/** Declares a job. The caller of `enqueue` and the task use the same object. */
export const defineJob = <Payload>(job: Job<Payload>): Job<Payload> => job;

/** Adds the code to a job. An invalid payload fails the job before `run`. */
export function defineTask<Payload>(
  job: Job<Payload>,
  run: (payload: Payload, context: JobContext) => Promise<void>,
): JobTask {
  return { name: job.name, run: (payload, context) => run(job.payload.parse(payload), context) };
}

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
