import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** What a recovery may take: deliveries that ended so. */
export const recoverableStatuses = ['failure', 'cancelled', 'success'] as const;

export type RecoverableStatus = (typeof recoverableStatuses)[number];

export const recoveryStates = ['running', 'done', 'cancelled'] as const;

/** Why a recovery was cancelled: somebody asked for it, or its endpoint was switched off or deleted. */
export const cancelReasons = ['requested', 'switched_off', 'deleted'] as const;

/** Somebody wants everything of an endpoint and a time sent again. Workers do it little by little (`advance-recoveries.ts`). */
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
    /** Deliveries made at this moment or later, and before `until`, which is never in the future. */
    since: p.datetime(3),
    until: p.datetime(3),
    statuses: p.array().$type<RecoverableStatus[]>(),
    /** Null for all. */
    eventTypes: p.array().nullable(),
    state: p.text().$type<(typeof recoveryStates)[number]>(),
    cancelReason: p.text().$type<(typeof cancelReasons)[number]>().nullable(),
    /** How many there were to send again when it was made; with `isTotalCapped` at least so many. */
    total: p.integer(),
    isTotalCapped: p.boolean(),
    /** How many have been queued anew. */
    queued: p.integer(),
    /** The last delivery that was looked at. */
    cursor: p.uuid(),
    /** When a worker looks at it next, by the database's clock. */
    nextAt: p.datetime(6),
    createdAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
});

export type Recovery = InferEntity<typeof Recovery>;
