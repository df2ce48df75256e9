import { deleteEndedSignInAttempts } from '@service/accounts';
import type { Database } from '@service/database';
import type { CronTask } from '@service/jobs';

/** Once an hour: an ended window counts for nothing any more; this only keeps the table small. */
export const deleteEndedSignInAttemptsHourly = (database: Database): CronTask => ({
  name: 'accounts.delete_ended_sign_in_attempts',
  pattern: '13 * * * *',
  async run({ log }) {
    const deleted = await deleteEndedSignInAttempts({ em: database.fork() });
    log.info({ deleted }, 'Ended sign-in windows are deleted');
  },
});
