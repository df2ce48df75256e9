import type { z } from 'zod';
import type { Environment } from './environment.ts';

type Retention = Pick<Environment, 'RETENTION_DAYS' | 'WEBHOOK_RETRY_SCHEDULE_SECONDS'>;

/** A wait comes up to a fifth longer than the schedule says. */
const jitter = 0.2;
const defaultDays = 90;

/**
 * A zod check for schemas with both variables: history is kept for longer than the retries of a delivery take, or a delivery would
 * be dropped before its last try.
 */
export function checkRetention({ value, issues }: z.core.ParsePayload<Retention>): void {
  const { RETENTION_DAYS: days, WEBHOOK_RETRY_SCHEDULE_SECONDS: schedule } = value;
  // A bad one is a problem of its own.
  if (typeof days !== 'number' || !Array.isArray(schedule)) return;
  const needed = retriesDays(schedule);
  if (days >= needed) return;
  issues.push({
    code: 'custom',
    input: value,
    path: [days === defaultDays ? 'WEBHOOK_RETRY_SCHEDULE_SECONDS' : 'RETENTION_DAYS'],
    message:
      `RETENTION_DAYS is ${days}, but the retries of WEBHOOK_RETRY_SCHEDULE_SECONDS can take ${needed} days ` +
      `with their jitter; keep history for at least as long`,
  });
}

/** Whole days from the first try to the last, jitter included. */
export function retriesDays(scheduleSeconds: readonly number[]): number {
  const seconds = scheduleSeconds.reduce((sum, wait) => sum + wait, 0);
  return Math.ceil((seconds * (1 + jitter)) / 86_400);
}
