import { deleteEndedSignInAttempts } from '@service/accounts';
import type { Database } from '@service/database';
import type { TimedTask } from './timed-task.ts';

/** Once an hour: an ended window counts for nothing any more; this only keeps the table small. */
export const deleteEndedSignInAttemptsHourly = (database: Database): TimedTask => ({
  name: 'accounts.delete_ended_sign_in_attempts',
  pattern: '13 * * * *',
  async run(_now, { log }) {
    const deleted = await deleteEndedSignInAttempts({ em: database.fork() });
    log.info({ deleted }, 'Ended sign-in windows are deleted');
  },
});
