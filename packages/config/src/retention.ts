import type { Environment } from './environment.ts';

type Retention = Pick<Environment, 'RETENTION_DAYS' | 'WEBHOOK_RETRY_SCHEDULE_SECONDS'>;

/** The jitter of a wait: it is up to a fifth longer than in the schedule. */
const jitter = 0.2;

/**
 * True when history is kept for longer than the retries of a delivery take. Else deliveries would be deleted before their last
 * attempt.
 */
export function outlivesRetries({
  RETENTION_DAYS: days,
  WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule,
}: Partial<Retention>): boolean {
  // An invalid variable is reported as a problem of its own.
  return !Number.isInteger(days) || !Array.isArray(schedule) || days! >= retriesDays(schedule);
}

/** The options of zod's `refine`. With `when` the problem is reported together with the others. */
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

/** Whole days from the first attempt to the last, with jitter. */
function retriesDays(scheduleSeconds: readonly number[]): number {
  const seconds = scheduleSeconds.reduce((sum, wait) => sum + wait, 0);
  return Math.ceil((seconds * (1 + jitter)) / 86_400);
}
