import type { z } from 'zod';
import type { Log } from '@service/log';

/** A kind of work that is done later, by any worker. The name is `module.verb`. */
export interface Job<Payload = unknown> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
}

/** What every task gets beside its payload. */
export interface JobContext {
  log: Log;
  /** Aborts when the worker has been asked to stop and its patience is over. */
  signal: AbortSignal;
}

/** A job with the code that does it; only workers hold these. */
export interface JobTask {
  readonly name: string;
  run(payload: unknown, context: JobContext): Promise<void>;
}

/** Jobs with this flag are left to workers whose clock agrees with the database's. Every cron has it. */
export const agreedClockFlag = 'agreed_clock';

/** Work by the database's clock: `pattern` is five cron fields in UTC, and one worker of all runs it. */
export interface CronTask {
  readonly name: string;
  readonly pattern: string;
  run(context: JobContext): Promise<void>;
}

/** Declares a job. Whoever enqueues it and whoever does it share this handle. */
export const defineJob = <Payload>(job: Job<Payload>): Job<Payload> => job;

/** Says how a job is done. A payload that does not parse fails the job before `run`. */
export function defineTask<Payload>(
  job: Job<Payload>,
  run: (payload: Payload, context: JobContext) => Promise<void>,
): JobTask {
  return { name: job.name, run: (payload, context) => run(job.payload.parse(payload), context) };
}
