import type { Database } from '@service/database';
import { deleteExpiredAnswers } from '@service/idempotency';
import type { TimedTask } from './timed-task.ts';

/** Once an hour: answers whose window is over are given no more anyway; this only keeps their table small. */
export const deleteExpiredAnswersHourly = (
  pool: Database['pool'],
  { windowHours }: { windowHours: number },
): TimedTask => ({
  name: 'idempotency.delete_expired_answers',
  pattern: '13 * * * *',
  async run(now, { log }) {
    const deleted = await deleteExpiredAnswers(pool, { now, windowHours });
    log.info({ deleted }, 'Expired idempotency answers are gone');
  },
});
