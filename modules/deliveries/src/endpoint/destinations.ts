import type { Database } from '@service/database';
import type { Log } from '@service/log';
import type { SecretBox } from '@service/secrets';
import { signingKeys, type SigningKeys } from '@service/signing';
import { LRUCache } from 'lru-cache';
import { endpointKey, type EndpointKey } from './endpoint-key.ts';
import type { EndpointHealth } from './endpoint-health.ts';

/** Where an endpoint's deliveries go, and with which keys they are signed. */
export interface Destination {
  url: string;
  /** Undefined when the secret does not open, which is a fault of ours. */
  keys: SigningKeys | undefined;
  enabled: boolean;
  /** Undefined while it is healthy. */
  health: EndpointHealth['state'] | undefined;
}

/**
 * For so long a worker may use what it has read of an endpoint, in milliseconds, reckoned from before it was read. Whoever
 * changes an endpoint answers only when this time is over, so that nothing goes out with the former secret after the answer.
 */
export const destinationMaxAgeMs = 300;

/** Keys kept ready. */
const keysMax = 10_000;

/** Reads endpoints as they are now. By `endpointKey`; one that is gone is not in the answer. */
export function createDestinations({ pool, secretBox, log }: DestinationsOptions) {
  // By the sealed text, which changes with every rotation.
  const keysBySealed = new LRUCache<string, SigningKeys>({ max: keysMax });

  const keysOf = (endpointId: string, sealedSecret: string): SigningKeys | undefined => {
    const known = keysBySealed.get(sealedSecret);
    if (known !== undefined) return known;
    try {
      const keys = signingKeys(secretBox.open(sealedSecret, endpointId));
      keysBySealed.set(sealedSecret, keys);
      return keys;
    } catch (error) {
      log.error({ err: error, endpointId }, 'The secret of an endpoint cannot be opened');
      return undefined;
    }
  };

  return async (wanted: readonly EndpointKey[]): Promise<Map<string, Destination>> => {
    const { rows } = await pool.query<DestinationRow>(loadDestinations, [
      wanted.map(({ endpointId }) => endpointId),
      wanted.map(({ accountId }) => accountId),
    ]);
    return new Map(
      rows.map(({ id, account_id: accountId, url, sealed_secret: sealedSecret, enabled, health }) => [
        endpointKey({ accountId, endpointId: id }),
        { url, keys: keysOf(id, sealedSecret), enabled, health: health ?? undefined },
      ]),
    );
  };
}

/** $1 endpoint ids, $2 account ids. */
const loadDestinations = `
  select endpoint.id, endpoint.account_id, endpoint.url, endpoint.sealed_secret, endpoint.enabled, health.state as health
  from unnest($1::uuid[], $2::uuid[]) as wanted (endpoint_id, account_id)
  join deliveries.endpoint on endpoint.id = wanted.endpoint_id and endpoint.account_id = wanted.account_id
  left join deliveries.endpoint_health health
    on health.endpoint_id = endpoint.id and health.account_id = endpoint.account_id`;

interface DestinationsOptions {
  pool: Database['pool'];
  secretBox: SecretBox;
  log: Log;
}

interface DestinationRow {
  id: string;
  account_id: string;
  url: string;
  sealed_secret: string;
  enabled: boolean;
  health: EndpointHealth['state'] | null;
}
