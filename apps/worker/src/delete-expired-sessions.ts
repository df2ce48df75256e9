import { deleteExpiredSessions } from '@service/accounts';
import type { Database } from '@service/database';
import type { TimedTask } from './timed-task.ts';

/** Once an hour: dashboard sessions that have expired are refused anyway; this only keeps their table small. */
export const deleteExpiredSessionsHourly = (database: Database): TimedTask => ({
  name: 'accounts.delete_expired_sessions',
  pattern: '43 * * * *',
  async run(now, { log }) {
    const deleted = await deleteExpiredSessions({ em: database.fork() }, now);
    log.info({ deleted }, 'Expired sessions are gone');
  },
});
