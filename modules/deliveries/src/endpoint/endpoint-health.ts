import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { DeliveryFailure } from '../schemas.ts';

/** How an endpoint fares that does not fare well: one without a row is healthy. */
export const EndpointHealth = defineEntity({
  name: 'EndpointHealth',
  tableName: 'endpoint_health',
  schema: 'deliveries',
  properties: {
    endpointId: p.uuid().primary(),
    accountId: p.uuid().primary(),
    /** `draining`: it answers again, and what was held for it is let go little by little. */
    state: p.text().$type<'failing' | 'paused' | 'draining'>(),
    /** Failed attempts since the last success. */
    failures: p.integer(),
    /** When the first of them was. */
    since: p.datetime(3),
    /** When a paused one is tried next; when a draining one gets its next share. */
    probeAt: p.datetime(3).nullable(),
    /** Probes since it was paused. */
    probes: p.smallint(),
    /** Held deliveries that are let go in the next second. */
    drainRate: p.integer(),
    lastFailure: p.text().$type<DeliveryFailure>().nullable(),
    lastResponseCode: p.smallint().nullable(),
  },
});

export type EndpointHealth = InferEntity<typeof EndpointHealth>;
