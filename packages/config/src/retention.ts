import type { Environment } from './environment.ts';

type Retention = Pick<Environment, 'RETENTION_DAYS' | 'WEBHOOK_RETRY_SCHEDULE_SECONDS'>;

/** A wait comes up to a fifth longer than the schedule says. */
const jitter = 0.2;

/** True when history is kept for longer than the retries of a delivery take; else one would be dropped before its last try. */
export function outlivesRetries({
  RETENTION_DAYS: days,
  WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule,
}: Partial<Retention>): boolean {
  // A variable that is bad is a problem of its own.
  return !Number.isInteger(days) || !Array.isArray(schedule) || days! >= retriesDays(schedule);
}

/** The options of zod's `refine`: the problem is named together with all others. */
export const retentionProblem = {
  path: ['RETENTION_DAYS'],
  error: ({ input }: { input?: unknown }) => {
    const { RETENTION_DAYS: days, WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule } = input as Retention;
    const needed = retriesDays(schedule);
    return (
      `is ${days}, but the retries of WEBHOOK_RETRY_SCHEDULE_SECONDS can take ${needed} days with their jitter; ` +
      `keep history for at least ${needed}`
    );
  },
  when: () => true,
};

/** Whole days from the first try to the last, jitter included. */
function retriesDays(scheduleSeconds: readonly number[]): number {
  const seconds = scheduleSeconds.reduce((sum, wait) => sum + wait, 0);
  return Math.ceil((seconds * (1 + jitter)) / 86_400);
}
