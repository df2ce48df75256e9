import type { Database } from '@service/database';
import type { Log } from '@service/log';
import type { SecretBox } from '@service/secrets';
import { signingKeys, type SigningKeys } from '@service/signing';
import { LRUCache } from 'lru-cache';
import { setTimeout as delay } from 'node:timers/promises';
import { suspendedAccounts } from '../suspension/suspension.sql.ts';
import { endpointKey, type EndpointKey } from './endpoint-key.ts';
import type { EndpointHealth } from './endpoint-health.ts';

/** Where an endpoint's deliveries go, and with which keys they are signed. */
export interface Destination {
  url: string;
  /** Undefined when the secret does not open, which is a fault of ours. */
  keys: SigningKeys | undefined;
  enabled: boolean;
  /** Its account is suspended: nothing is sent. */
  isSuspended: boolean;
  /** Undefined while it is healthy. */
  health: EndpointHealth['state'] | undefined;
}

/**
 * For so long a worker may use what it has read of an endpoint, in milliseconds, reckoned from before it was read. Whoever
 * changes an endpoint answers only when this time is over, so that nothing goes out with the former secret after the answer.
 */
export const destinationMaxAgeMs = 300;

/** After a commit: resolves when no worker uses what it has read before any more; a little of it is for the sending. */
export const untilFormerIsUnused = (): Promise<void> => delay(destinationMaxAgeMs + 50);

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
      rows.map((row) => [
        endpointKey({ accountId: row.account_id, endpointId: row.id }),
        {
          url: row.url,
          keys: keysOf(row.id, row.sealed_secret),
          enabled: row.enabled,
          isSuspended: row.is_suspended,
          health: row.health ?? undefined,
        },
      ]),
    );
  };
}

/** $1 endpoint ids, $2 account ids. */
const loadDestinations = `
  select endpoint.id, endpoint.account_id, endpoint.url, endpoint.sealed_secret, endpoint.enabled,
    endpoint.account_id in (${suspendedAccounts}) as is_suspended, health.state as health
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
  is_suspended: boolean;
  health: EndpointHealth['state'] | null;
}
