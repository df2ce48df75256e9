import { defineEntity, p } from '@mikro-orm/postgresql';

/**
 * The queue: one row for each waiting delivery, deleted when the delivery has ended. It stays small however long history is,
 * so claims never touch the partitions of `delivery`.
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
    /** The time of the next try; `infinity` while the delivery is parked. */
    dueAt: p.datetime(6),
    /** The time of the next try of a delivery that a flush has parked, for the case that the flush is stopped. */
    ownDueAt: p.datetime(6).nullable(),
    /** Attempts made before. */
    attempts: p.smallint(),
    /** Attempts that count as tries: the next one takes place `tries + 1` of the schedule. */
    tries: p.smallint(),
    /** The end of a worker's lease. In no index, so that a claim is a cheap update. */
    leasedUntil: p.datetime(6).nullable(),
    /** The token of the lease. Writing a result requires the same token, so a late worker cannot overwrite. */
    claim: p.uuid().nullable(),
    /** The number of the worker that claimed it last. */
    worker: p.integer().nullable(),
  },
});

/** The SQL condition of a row of `due` that no worker has claimed, or whose lease has ended. By the database's clock. */
export const isFree = '(leased_until is null or leased_until <= now())';
