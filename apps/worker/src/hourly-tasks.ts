import { deleteEndedSignInAttempts, deleteExpiredSessions } from '@service/accounts';
import type { Database } from '@service/database';
import { deleteExpiredAnswers } from '@service/idempotency';
import { keepSessionsAhead } from '@service/webinars';
import type { TimedTask } from './clock-check.ts';

interface HourlyTasksOptions {
  database: Database;
  idempotencyWindowHours: number;
}

/** Small work that runs once an hour. The rows that are deleted have no effect any more; this keeps their tables small. */
export const hourlyTasks = ({ database, idempotencyWindowHours }: HourlyTasksOptions): TimedTask[] => [
  {
    name: 'webinars.keep_sessions_ahead',
    pattern: '7 * * * *',
    async run(now, { log }) {
      const made = await keepSessionsAhead(database, now);
      log.info({ made }, 'Coming sessions are made');
    },
  },
  {
    name: 'accounts.delete_ended_sign_in_attempts',
    pattern: '13 * * * *',
    async run(_now, { log }) {
      const deleted = await deleteEndedSignInAttempts(database);
      log.info({ deleted }, 'Ended sign-in windows are deleted');
    },
  },
  {
    name: 'idempotency.delete_expired_answers',
    pattern: '13 * * * *',
    async run(now, { log }) {
      const options = { now, windowHours: idempotencyWindowHours };
      const deleted = await deleteExpiredAnswers(database.pool, options);
      log.info({ deleted }, 'Expired idempotency answers are deleted');
    },
  },
  {
    name: 'accounts.delete_expired_sessions',
    pattern: '43 * * * *',
    async run(now, { log }) {
      const deleted = await deleteExpiredSessions(database, now);
      log.info({ deleted }, 'Expired sign-in sessions are deleted');
    },
  },
];
