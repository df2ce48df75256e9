import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** Where deliveries go. The secret is sealed with the endpoint's id as context, so it opens in no other row. */
export const Endpoint = defineEntity({
  name: 'Endpoint',
  tableName: 'endpoint',
  schema: 'deliveries',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid().primary(),
    url: p.text(),
    sealedSecret: p.text(),
    /** Lets people tell two secrets apart. */
    secretLast4: p.text(),
    /** Nothing is sent to one that is switched off. */
    enabled: p.boolean().default(true),
    createdAt: p.datetime(3),
  },
});

export type Endpoint = InferEntity<typeof Endpoint>;
