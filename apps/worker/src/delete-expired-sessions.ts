import { deleteExpiredSessions } from '@service/accounts';
import type { Database } from '@service/database';
import type { CronTask } from '@service/jobs';

/** Once an hour: dashboard sessions that have expired are refused anyway; this only keeps their table small. */
export const deleteExpiredSessionsHourly = (database: Database): CronTask => ({
  name: 'accounts.delete_expired_sessions',
  pattern: '43 * * * *',
  async run({ log }) {
    const deleted = await deleteExpiredSessions({ em: database.fork() }, new Date());
    log.info({ deleted }, 'Expired sessions are gone');
  },
});
