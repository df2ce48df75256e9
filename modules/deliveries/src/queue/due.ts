import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/**
 * The queue: one row for each delivery that waits, gone when it has ended. Small whatever history there is, so claiming
 * never touches the partitions of `delivery`.
 */
export const Due = defineEntity({
  name: 'Due',
  tableName: 'due',
  schema: 'deliveries',
  indexes: [
    { name: 'due_first_index', properties: ['dueAt'], where: 'attempts = 0' },
    { name: 'due_retry_index', properties: ['dueAt'], where: 'attempts > 0' },
    { name: 'due_endpoint_index', properties: ['accountId', 'endpointId', 'dueAt', 'deliveryId'] },
  ],
  properties: {
    deliveryId: p.uuid().primary(),
    accountId: p.uuid().primary(),
    endpointId: p.uuid(),
    /** When to try next; `infinity` while its endpoint is paused. */
    dueAt: p.datetime(6),
    /** Attempts made before. */
    attempts: p.smallint(),
    /** Those of them that count: the next one takes place number `tries + 1` of the schedule. */
    tries: p.smallint(),
    /** Until then a worker holds it; after that it is anybody's again. In no index, so that a claim is a cheap update. */
    leasedUntil: p.datetime(6).nullable(),
    /** Who holds it: writing a result demands the same token, so a late worker cannot overwrite. */
    claim: p.uuid().nullable(),
    /** The number of the worker that took it last. */
    worker: p.integer().nullable(),
  },
});

export type Due = InferEntity<typeof Due>;
