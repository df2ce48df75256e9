import type { CronTask, JobContext, JobTask } from '@service/jobs';
import type { IRouter } from 'express';

/** HTTP routes outside the chain of the procedures. */
export interface HttpDoor {
  /** Adds the routes. Their answers are not compressed. */
  mount: (routes: IRouter) => void;
  /** Ends connections that would keep a stopping server waiting. */
  close?: () => void;
}

/** Work that every worker repeats. It does not run while the clocks of the worker and the database disagree. */
export interface RepeatedWork {
  /** snake_case. The metric of skipped rounds and the answer of `/readyz` contain it. */
  name: string;
  everyMs: number;
  /** `now` is the database's time. A run that throws is repeated, with growing waits. */
  run: (now: Date, context: RepeatContext) => Promise<void>;
}

interface RepeatContext extends JobContext {
  /** Logs the failure of one part of the work, such as one account. The run goes on. */
  onFailure: (error: unknown) => void;
}

/** Scheduled work. One worker runs it, and only while its clock and the database's agree. `now` is the database's time. */
export interface ScheduledTask extends Pick<CronTask, 'name' | 'pattern'> {
  run: (now: Date, context: JobContext) => Promise<void>;
}

export interface ModuleJobs {
  /** Run when a caller has queued them. */
  tasks?: readonly JobTask[];
  /** Run at their times. */
  crons?: readonly ScheduledTask[];
}
