import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** The target of deliveries. The secret is sealed with the endpoint's id as context, so it opens in no other row. */
export const Endpoint = defineEntity({
  name: 'Endpoint',
  tableName: 'endpoint',
  schema: 'deliveries',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid().primary(),
    url: p.text(),
    sealedSecret: p.text(),
    /** Lets people distinguish two secrets. */
    secretLast4: p.text(),
    /** Nothing is sent to an endpoint that is switched off. */
    enabled: p.boolean().default(true),
    /** It has answered an attempt with 2xx. Endpoints that are older than this column count as answered. */
    hasAnswered: p.boolean().default(false),
    createdAt: p.datetime(3),
  },
});

export type Endpoint = InferEntity<typeof Endpoint>;

export interface EndpointKey {
  accountId: string;
  endpointId: string;
}

/** Contains the account: a delivery that names the endpoint of another account finds none. */
export const endpointKey = ({ accountId, endpointId }: EndpointKey): string => accountId + endpointId;
