import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/**
 * A body to be sent to one endpoint. Written once, except for its end without success: attempts are in `attempt`, waiting
 * deliveries are in `due`. Partitioned by day of the id. The id comes first in the key, so that new rows go to one end of the
 * index.
 */
export const Delivery = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  schema: 'deliveries',
  indexes: [
    { name: 'delivery_endpoint_index', properties: ['accountId', 'endpointId', 'id'] },
    {
      name: 'delivery_ended_index',
      properties: ['accountId', 'endpointId', 'endedAs', 'id'],
      where: 'ended_as is not null',
    },
    { name: 'delivery_account_index', properties: ['accountId', 'id'] },
    {
      name: 'delivery_account_ended_index',
      properties: ['accountId', 'endedAs', 'id'],
      where: 'ended_as is not null',
    },
    {
      name: 'delivery_registration_index',
      properties: ['accountId', 'registrationId', 'id'],
      where: 'registration_id is not null',
    },
    {
      name: 'delivery_redelivery_index',
      properties: ['accountId', 'redeliveryOf', 'id'],
      where: 'redelivery_of is not null',
    },
  ],
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid().primary(),
    endpointId: p.uuid(),
    eventType: p.text(),
    /** The body that this delivery shares. Null when the body has the delivery's own id, and when it is in `body`. */
    bodyId: p.uuid().nullable(),
    /** The body of a delivery from before 24 November 2026, and while a worker of an earlier version is running. */
    body: p.text().nullable(),
    isRefire: p.boolean(),
    /** A sample, sent to test the endpoint. */
    isTest: p.boolean().default(false),
    /** For a redelivery: the first delivery of the same message. */
    redeliveryOf: p.uuid().nullable(),
    /** The registration that the message is about. Null for a test, and for a delivery made before this was recorded. */
    registrationId: p.uuid().nullable(),
    /** The number of tries of the schedule when the delivery was made; 1 for a test. */
    attemptsMax: p.smallint(),
    createdAt: p.datetime(3),
    /** Written later, like the next one, and only when the delivery ended without success. */
    endedAs: p.enum(['failure', 'cancelled']).nullable(),
    /** The reason why it ended without an attempt. */
    failure: p.enum(['backlog_full']).nullable(),
    /** The delivery that was sent instead while this one was waiting. */
    replacedBy: p.uuid().nullable(),
  },
});

export type Delivery = InferEntity<typeof Delivery>;
