import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { allDeliveryFailures } from '@service/catalogue';
import { entityRow } from '@service/database';
import type { EndpointHealthOutput } from '../schemas.ts';

/** The target of deliveries. The secret is sealed with the endpoint's id as context, so it opens in no other row. */
export const Endpoint = defineEntity({
  name: 'Endpoint',
  tableName: 'endpoint',
  schema: 'deliveries',
  indexes: [{ name: 'endpoint_account_index', properties: ['accountId'] }],
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

/** Health of an unhealthy endpoint. A healthy endpoint has no row. README.md beside this file shows the states. */
export const EndpointHealth = defineEntity({
  name: 'EndpointHealth',
  tableName: 'endpoint_health',
  schema: 'deliveries',
  indexes: [{ name: 'endpoint_health_account_index', properties: ['accountId'] }],
  properties: {
    endpointId: p.uuid().primary(),
    accountId: p.uuid().primary(),
    /**
     * `draining`: the endpoint answers again, and its parked deliveries are released step by step. `halted`: somebody wants nothing
     * to be sent until the endpoint is resumed.
     */
    state: p.enum(['failing', 'paused', 'draining', 'halted']),
    /** Failed attempts since the last success. */
    failures: p.integer(),
    /** The time of the first of these failures. */
    since: p.datetime(3),
    /** The next probe of a paused endpoint, or the next release of a draining one. */
    probeAt: p.datetime(3).nullable(),
    /** Probes since the endpoint was paused. */
    probes: p.smallint(),
    /** Deliveries that the next release releases. */
    drainRate: p.integer(),
    /** It has never answered, and so many deliveries wait for it that further ones end at once (`account/quota.ts`). */
    isFull: p.boolean().default(false),
    lastFailure: p.enum([...allDeliveryFailures]).nullable(),
    lastResponseCode: p.smallint().nullable(),
    /** Deliveries waited or failed when the URL was changed, and nothing was sent to the new one yet. */
    isUntried: p.boolean().default(false),
  },
});

export type EndpointHealth = InferEntity<typeof EndpointHealth>;

export const healthRow = entityRow(EndpointHealth);

/** An endpoint is shown as failing from this many failures in a row. One or two are normal; they are shown as numbers. */
const failingMin = 3;

const healthy: EndpointHealthOutput = {
  status: 'healthy',
  failuresInARow: 0,
  since: null,
  nextProbeAt: null,
  lastFailure: null,
  lastResponseCode: null,
  untriedSinceChange: false,
};

export function healthToOutput(health: EndpointHealth | undefined): EndpointHealthOutput {
  if (health === undefined || (health.state !== 'paused' && health.failures === 0)) {
    return { ...healthy, untriedSinceChange: health?.isUntried ?? false };
  }
  return {
    ...healthy,
    status: statusOf(health),
    failuresInARow: health.failures,
    since: health.since.toISOString(),
    nextProbeAt: health.state === 'paused' ? (health.probeAt?.toISOString() ?? null) : null,
    lastFailure: health.lastFailure ?? null,
    lastResponseCode: health.lastResponseCode ?? null,
  };
}

function statusOf({ state, failures }: EndpointHealth): EndpointHealthOutput['status'] {
  if (state === 'paused') return 'paused';
  return failures < failingMin ? 'healthy' : 'failing';
}
