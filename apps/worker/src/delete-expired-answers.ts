import type { Database } from '@service/database';
import { deleteExpiredAnswers } from '@service/idempotency';
import type { CronTask } from '@service/jobs';

/** Once an hour: answers whose window is over are given no more anyway; this only keeps their table small. */
export const deleteExpiredAnswersHourly = (
  pool: Database['pool'],
  { windowHours }: { windowHours: number },
): CronTask => ({
  name: 'idempotency.delete_expired_answers',
  pattern: '13 * * * *',
  async run({ log }) {
    const deleted = await deleteExpiredAnswers(pool, { now: new Date(), windowHours });
    log.info({ deleted }, 'Expired idempotency answers are gone');
  },
});
