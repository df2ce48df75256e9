import { deleteCallCountsBefore } from '@service/activity';
import { deleteFiringsBefore } from '@service/automations';
import { servicePartitionedTables } from '@service/composition';
import { dropPartitionsBefore, ensurePartitions, type Database } from '@service/database';
import type { CronTask } from '@service/jobs';

/** Days that have their partitions ahead of time, so that a week without a worker costs nothing. */
const daysAhead = 7;

const firingDaysMin = 90;

/**
 * Makes the partitions of the coming days and drops the history that is no longer kept. Once an hour: what somebody's long
 * transaction holds is passed over, so that nobody waits for the upkeep, and gets its turn soon.
 */
export const maintainPartitions = (
  pool: Database['pool'],
  { retentionDays }: { retentionDays: number },
): CronTask => ({
  name: 'database.maintain_partitions',
  pattern: '17 * * * *',
  async run({ log }) {
    const now = new Date();
    const made = await ensurePartitions(pool, servicePartitionedTables, { now, daysAhead });
    if (made.late.length > 0)
      log.error({ late: made.late }, 'Partitions came too late; their rows stay in the default ones');
    const before = new Date(now.getTime() - retentionDays * 86_400_000);
    // Counts lead to calls: they go first, or Activity would count what it cannot list.
    const counts = await deleteCallCountsBefore(pool, before);
    // A key that is gone would let its rule fire again: longer than anything can happen in a session, whatever is kept.
    const keptDays = Math.max(retentionDays, firingDaysMin);
    const firings = await deleteFiringsBefore(pool, new Date(now.getTime() - keptDays * 86_400_000));
    const { dropped, held } = await dropPartitionsBefore(pool, servicePartitionedTables, before);
    const heldBack = [...made.held, ...held];
    if (heldBack.length > 0)
      log.warn({ held: heldBack }, 'Partitions are in use by a long transaction; the next run tries again');
    log.info({ dropped, counts, firings }, 'Partitions are up to date');
  },
});
