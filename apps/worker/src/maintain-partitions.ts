import { deleteCallCountsBefore } from '@service/activity';
import { deleteFiringsBefore } from '@service/automations';
import { servicePartitionedTables } from '@service/composition';
import { deleteRunsBefore } from '@service/contacts';
import {
  dropPartitionsBefore,
  ensurePartitions,
  rebuildIndexes,
  type Database,
  type PartitionedTable,
} from '@service/database';
import type { ScheduledTask } from '@service/module';

interface Retention {
  /** Of calls, executions, deliveries and attempts. */
  retentionDays: number;
  /** Of the bodies of deliveries. Undefined: as long as the deliveries. */
  bodyRetentionDays?: number | undefined;
  /** Of attendees' events. Undefined: events are kept. */
  eventRetentionDays?: number | undefined;
}

/** Partitions are made this many days ahead, so that a week without a worker does no harm. */
const daysAhead = 7;

const dayMs = 86_400_000;
const firingDaysMin = 90;
const weekDays = 7;

/**
 * Once an hour. A partition that a long transaction uses is skipped, so that no statement waits for the upkeep; the next run tries
 * again.
 */
export const maintainPartitions = (pool: Database['sessionPool'], retention: Retention): ScheduledTask => ({
  name: 'database.maintain_partitions',
  pattern: '17 * * * *',
  async run(now, { log }) {
    const { late, postponed, ...done } = await runMaintenance(pool, { now, ...retention });
    if (late.length > 0) log.error({ late }, 'Partitions came too late; their rows stay in the default ones');
    if (postponed.length > 0)
      log.warn({ postponed }, 'Partitions are in use by a long transaction; the next run tries again');
    log.info(done, 'Partitions are up to date');
  },
});

/** Once an hour, for one partition. */
export const rebuildPartitionIndexes = (pool: Database['sessionPool']): ScheduledTask => ({
  name: 'database.rebuild_indexes',
  pattern: '47 * * * *',
  async run(now, { log, signal }) {
    const rebuilt = await rebuildIndexes(pool, servicePartitionedTables, { now, signal });
    if (rebuilt.length > 0) log.info({ rebuilt }, 'The indexes of a finished partition are rebuilt');
  },
});

/**
 * One round: makes the partitions of the coming days and months, and drops partitions older than their retention, two days or one
 * month of each table at most. Returns names of partitions, and how many counts and firings were deleted.
 */
export async function runMaintenance(
  pool: Database['sessionPool'],
  { now, retentionDays, bodyRetentionDays = retentionDays, eventRetentionDays }: Retention & { now: Date },
) {
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);
  const made = await ensurePartitions(pool, servicePartitionedTables, { now, daysAhead });
  // Counts are deleted first, or Activity would count calls that it cannot list.
  const counts = await deleteCallCountsBefore(pool, daysAgo(retentionDays));
  const history = await dropPartitionsBefore(pool, tablesOf('history'), daysAgo(retentionDays));
  const bodyDays = Math.min(bodyRetentionDays, retentionDays);
  const bodies = await dropPartitionsBefore(pool, tablesOf('bodies'), daysAgo(bodyDays));
  await deleteRunsBefore(pool, daysAgo(retentionDays));
  const week = await dropPartitionsBefore(pool, tablesOf('week'), daysAgo(Math.min(weekDays, retentionDays)));
  const result = {
    late: made.late,
    postponed: [made, history, bodies, week].flatMap(({ postponed }) => postponed),
    dropped: [history, bodies, week].flatMap(({ dropped }) => dropped),
    inUse: [history, bodies, week].flatMap(({ inUse }) => inUse),
    counts,
    firings: 0,
  };
  if (eventRetentionDays === undefined) return result;
  const events = await dropPartitionsBefore(pool, tablesOf('events'), daysAgo(eventRetentionDays));
  result.postponed.push(...events.postponed);
  result.dropped.push(...events.dropped);
  // Without its firing a rule would fire again for the same event. So firings are kept as long as events, and longer than any
  // session.
  const firingDays = Math.max(eventRetentionDays, firingDaysMin);
  result.firings = await deleteFiringsBefore(pool, daysAgo(firingDays));
  return result;
}

const tablesOf = (retention: PartitionedTable['retention']) =>
  servicePartitionedTables.filter((table) => table.retention === retention);
