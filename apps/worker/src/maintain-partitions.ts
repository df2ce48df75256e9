import { servicePartitionedTables } from '@service/composition';
import { dropPartitionsBefore, ensurePartitions, type Database } from '@service/database';
import type { CronTask } from '@service/jobs';

/** Days that have their partitions ahead of time, so that a week without a worker costs nothing. */
const daysAhead = 7;

/** Once a day: makes the partitions of the coming days and drops those older than the history that is kept. */
export const maintainPartitions = (
  pool: Database['pool'],
  { retentionDays }: { retentionDays: number },
): CronTask => ({
  name: 'database.maintain_partitions',
  pattern: '17 3 * * *',
  async run({ log }) {
    const now = new Date();
    const late = await ensurePartitions(pool, servicePartitionedTables, { now, daysAhead });
    if (late.length > 0) log.error({ late }, 'Partitions came too late; their rows stay in the default ones');
    const before = new Date(now.getTime() - retentionDays * 86_400_000);
    const dropped = await dropPartitionsBefore(pool, servicePartitionedTables, before);
    log.info({ dropped }, 'Partitions are up to date');
  },
});
