import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/**
 * One event for one endpoint: what is to be sent. Written once, so that history is never rewritten; what happened is in
 * `attempt`, what waits is in `due`. Partitioned by day on the id, which leads the key: new rows then go to one end of
 * the index.
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
    /** Exactly what is sent on every try, which is why it is text and never jsonb. */
    body: p.text(),
    isRefire: p.boolean(),
    /** A sample that somebody sent to see whether it arrives. */
    isTest: p.boolean().default(false),
    /** The first delivery of what somebody had sent again; this repeats it. */
    redeliveryOf: p.uuid().nullable(),
    /** Tries the schedule had when it was made. */
    attemptsMax: p.smallint(),
    createdAt: p.datetime(3),
    /** The one thing written later, and only when it ended without success. */
    endedAs: p.text().$type<'failure' | 'cancelled'>().nullable(),
  },
});

export type Delivery = InferEntity<typeof Delivery>;
