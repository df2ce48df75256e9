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
    { name: 'due_due_at_index', properties: ['dueAt'] },
    { name: 'due_endpoint_index', properties: ['accountId', 'endpointId'] },
  ],
  properties: {
    deliveryId: p.uuid().primary(),
    accountId: p.uuid().primary(),
    endpointId: p.uuid(),
    /** When to try next. */
    dueAt: p.datetime(6),
    /** Attempts made before. */
    attempts: p.smallint(),
    /** Until then a worker holds it; after that it is anybody's again. In no index, so that a claim is a cheap update. */
    leasedUntil: p.datetime(6).nullable(),
    /** Who holds it: writing a result demands the same token, so a late worker cannot overwrite. */
    claim: p.uuid().nullable(),
  },
});

export type Due = InferEntity<typeof Due>;
