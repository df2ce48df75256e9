import { defineEntity, p } from '@mikro-orm/postgresql';
import { idAt, idTime } from '@service/database';

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
    /** The body of a delivery from before 24 November 2026. Never written since 28 November. */
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
    /** The `traceparent` of its attempts. Null while traces are off. */
    trace: p.text().nullable(),
  },
});

/**
 * A body that is sent, written once. Deliveries that were made together with the same body share it. Its id is that of the first
 * of them, and they are of the same day (UTC), so that both are kept and dropped together. Partitioned by day like the deliveries.
 */
export const Body = defineEntity({
  name: 'Body',
  tableName: 'body',
  schema: 'deliveries',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid().primary(),
    /** The exact bytes of every try. So it is text and never jsonb. */
    body: p.text(),
  },
});

const dayMs = 86_400_000;

/** The UTC day of an id, as a number. */
export const dayOf = (id: string): number => Math.floor(idTime(id).getTime() / dayMs);

/** The lowest id of the body of a delivery with this id, or a later id: the start of its day. */
export const lowestBodyId = (deliveryId: string): string => idAt(new Date(dayOf(deliveryId) * dayMs));

/**
 * Joins the body to each row of `delivery`, as `kept`. `since` and `until` are parameters: `lowestBodyId` of the lowest delivery, and the
 * highest delivery. They keep the partitions of other days out of the plan.
 */
export const joinBody = (since: string, until: string): string => `
  left join lateral (
    select kept.body from deliveries.body kept
    where kept.id = coalesce(delivery.body_id, delivery.id) and kept.account_id = delivery.account_id
      and kept.id between ${since} and ${until}
    limit 1
  ) kept on true`;

/**
 * The body after `joinBody`. Deliveries from before 24 November 2026 have it in their own row, so both places are read until
 * their partitions are gone: RETENTION_DAYS (90) after that day.
 */
export const joinedBody = 'coalesce(delivery.body, kept.body)';
