import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { id, instant } from '@service/trpc';
import { z } from 'zod';

/** Statuses of deliveries that a recovery may redeliver. */
export const recoverableStatuses = ['failure', 'cancelled', 'success'] as const;

export const recoverableStatus = z.enum(recoverableStatuses).meta({ id: 'RecoverableStatus' });

export type RecoverableStatus = (typeof recoverableStatuses)[number];

export const recoveryStates = ['running', 'done', 'cancelled'] as const;

/** A recovery is cancelled by a call, or because its endpoint was switched off or deleted. */
export const cancelReasons = ['requested', 'switched_off', 'deleted'] as const;

/** A background run that redelivers everything of one endpoint and time range. Workers advance it (`advance-recoveries.ts`). */
export const Recovery = defineEntity({
  name: 'Recovery',
  tableName: 'recovery',
  schema: 'deliveries',
  indexes: [
    { name: 'recovery_endpoint_index', properties: ['accountId', 'endpointId', 'id'] },
    { name: 'recovery_next_index', properties: ['nextAt'], where: `state = 'running'` },
  ],
  uniques: [
    { name: 'recovery_running_unique', properties: ['accountId', 'endpointId'], where: `state = 'running'` },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    endpointId: p.uuid(),
    /** Deliveries made at this time or later, and before `until`. `until` is never in the future. */
    since: p.datetime(3),
    until: p.datetime(3),
    statuses: p.array().$type<RecoverableStatus[]>(),
    /** Null for all. */
    eventTypes: p.array().nullable(),
    state: p.enum(recoveryStates),
    cancelReason: p.enum(cancelReasons).nullable(),
    /** Deliveries to redeliver when the recovery was made. With `isTotalCapped` there may be more. */
    total: p.integer(),
    isTotalCapped: p.boolean(),
    /** Redeliveries queued so far. */
    queued: p.integer(),
    /** The last delivery that was searched. */
    cursor: p.uuid(),
    /** The time of the next batch, by the database's clock. */
    nextAt: p.datetime(6),
    createdAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
});

export type Recovery = InferEntity<typeof Recovery>;

const outage = { since: '2026-11-20T09:00:00.000Z', until: '2026-11-20T12:30:00.000Z' };
const counted = { total: 1840, isTotalCapped: false };

const period = {
  since: instant().describe('Deliveries made at this time or later.'),
  until: instant().describe('Deliveries made before this time.'),
};

const total = {
  total: z.int().describe('Deliveries to redeliver when the recovery was made.'),
  isTotalCapped: z.boolean().describe('True when there may be more. Counting ends after 100,000 deliveries.'),
};

const WaitingInTime = z
  .object({
    queued: z.int().describe('Deliveries without an attempt, such as those of a paused endpoint.'),
    retrying: z.int().describe('Deliveries that have failed and are tried again.'),
    nextAttemptAt: instant()
      .nullable()
      .describe(
        'Time of the next try of one of them; of a paused endpoint, the time of its next probe. Null when none waits, and for a ' +
          'halted endpoint.',
      ),
  })
  .meta({
    id: 'WaitingInTime',
    description:
      'The deliveries of that time that still wait and are sent by themselves. They are not in `total`. Each number ends at 100,000.',
  });

export const RecoveryPreviewOutput = z.object({ ...period, ...total, waiting: WaitingInTime }).meta({
  id: 'RecoveryPreview',
  examples: [
    {
      ...outage,
      ...counted,
      waiting: { queued: 0, retrying: 12, nextAttemptAt: '2026-11-20T12:35:00.000Z' },
    },
  ],
});

export const RecoveryOutput = z
  .object({
    id: id('recovery'),
    state: z.enum(recoveryStates).meta({
      id: 'RecoveryState',
      description: '`running` until everything is queued, then `done`, or `cancelled` if it was stopped.',
    }),
    cancelReason: z
      .enum(cancelReasons)
      .meta({ id: 'RecoveryCancelReason' })
      .nullable()
      .describe('Null unless the recovery was cancelled.'),
    ...period,
    statuses: z
      .array(recoverableStatus)
      .describe('The final statuses of the deliveries that it sends again.'),
    eventTypes: z.array(z.string()).nullable().describe('Null for all event types.'),
    ...total,
    queued: z
      .int()
      .describe(
        'Redeliveries queued so far. The final number can differ from `total`: deliveries that succeed in the meantime are left ' +
          'out, and deliveries that fail in the meantime are added.',
      ),
    createdAt: instant(),
    finishedAt: instant().nullable().describe('The time at which the recovery ended. Null while it runs.'),
  })
  .meta({
    id: 'Recovery',
    examples: [
      {
        id: '019aa2f4-6d1e-7c0b-a1d7-52c9f3b86e40',
        state: 'running',
        cancelReason: null,
        ...outage,
        statuses: ['failure'],
        eventTypes: null,
        ...counted,
        queued: 500,
        createdAt: outage.until,
        finishedAt: null,
      },
    ],
  });

export type RecoveryPreviewOutput = z.infer<typeof RecoveryPreviewOutput>;
export type RecoveryOutput = z.infer<typeof RecoveryOutput>;
