import type { z } from 'zod';
import type { Log } from '@service/log';

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
