import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** A webhook subscription made over the API. What it listens to is its rules; where it sends is its endpoint. */
export const Subscription = defineEntity({
  name: 'Subscription',
  tableName: 'subscription',
  schema: 'automations',
  indexes: [{ name: 'subscription_webinar_index', properties: ['accountId', 'webinarId', 'id'] }],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    endpointId: p.uuid(),
    active: p.boolean(),
    secretRotatedAt: p.datetime(3),
    createdAt: p.datetime(3),
  },
});

export type Subscription = InferEntity<typeof Subscription>;
