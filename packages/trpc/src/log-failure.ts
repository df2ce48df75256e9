import type { AppError } from '@service/errors';
import type { Log } from '@service/log';

/** While the database cannot be reached every request fails. One line in this time represents all of them. */
const warnEveryMs = 10_000;

interface Warnings {
  nextAtMs: number;
  /** Failures since the last line. */
  unlogged: number;
}

const warningsByLog = new WeakMap<Log, Warnings>();

/**
 * Logs an answered error that is a fault of the service: an internal error with its cause each time, and a database that cannot be
 * reached, takes no writes or is too slow as a warning at most every 10 s.
 */
export function logFailure(
  log: Log,
  error: AppError,
  { message, ...fields }: { message: string; requestId: string | undefined; path?: string | undefined },
): void {
  if (error.kind === 'internal') log.error({ err: error.cause, ...fields }, message);
  if (error.kind === 'unavailable' && error.cause !== undefined) warnAtMostEvery10s(log, error, fields);
}

function warnAtMostEvery10s(log: Log, error: AppError, fields: object, nowMs = performance.now()): void {
  const { nextAtMs, unlogged } = warningsByLog.get(log) ?? { nextAtMs: -Infinity, unlogged: 0 };
  if (nowMs < nextAtMs) {
    warningsByLog.set(log, { nextAtMs, unlogged: unlogged + 1 });
    return;
  }
  log.warn({ err: error.cause, ...fields, unlogged }, 'The database is unavailable');
  warningsByLog.set(log, { nextAtMs: nowMs + warnEveryMs, unlogged: 0 });
}
