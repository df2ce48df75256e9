import { setTimeout as delay } from 'node:timers/promises';
import { column, nullable, rowsToColumns, statement, type Query } from '@service/database';
import type { Log } from '@service/log';
import type { SecretBox } from '@service/secrets';
import { signingKeys, type SigningKeys } from '@service/signing';
import { LRUCache } from 'lru-cache';
import { isSuspended } from '../account/suspended-accounts.ts';
import { endpointKey, type EndpointKey } from './endpoint.ts';
import type { Health } from './health-machine.ts';

/** An endpoint as a worker needs it to send: its URL and the opened signing keys. */
export interface Destination {
  url: string;
  /** Undefined when the secret does not open, which is a fault of ours. */
  keys: SigningKeys | undefined;
  enabled: boolean;
  /** The account is suspended: nothing is sent. */
  isSuspended: boolean;
  /** Undefined while the endpoint is healthy. */
  health: Health['state'] | undefined;
  /** It has answered an attempt with 2xx. */
  hasAnswered: boolean;
}

/** Reads endpoints and opens their secrets. Keys of the answer are `endpointKey`s; endpoints that do not exist are left out. */
export type OpenDestinations = (endpoints: readonly EndpointKey[]) => Promise<Map<string, Destination>>;

/**
 * A worker may use a destination for this long, in milliseconds, from before it was read. A call that changes an endpoint
 * answers only when this time is over, so nothing is signed with the former secret after the answer.
 */
export const destinationMaxAgeMs = 300;

/** After a commit: resolves when no worker uses former destinations any more. 50 ms are for the start of an attempt. */
export const untilFormerIsUnused = (): Promise<void> => delay(destinationMaxAgeMs + 50);

const cachedKeysMax = 10_000;

interface DestinationOpenerOptions {
  query: Query;
  secretBox: SecretBox;
  log: Log;
}

export function createDestinationOpener({
  query,
  secretBox,
  log,
}: DestinationOpenerOptions): OpenDestinations {
  // By the sealed text, which changes with every rotation.
  const keysBySealed = new LRUCache<string, SigningKeys>({ max: cachedKeysMax });

  const openKeys = (endpointId: string, sealedSecret: string): SigningKeys | undefined => {
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

  return async (endpoints) => {
    const rows = await query(loadDestinations, rowsToColumns(endpoints, 'endpointId', 'accountId'));
    return new Map(
      rows.map(({ accountId, endpointId, sealedSecret, health, ...row }) => [
        endpointKey({ accountId, endpointId }),
        { ...row, keys: openKeys(endpointId, sealedSecret), health: health ?? undefined },
      ]),
    );
  };
}

/** $1 endpoint ids, $2 account ids. */
const loadDestinations = statement({
  text: `
    select endpoint.id as "endpointId", endpoint.account_id as "accountId", endpoint.url, endpoint.sealed_secret as "sealedSecret",
      endpoint.enabled, endpoint.has_answered as "hasAnswered", ${isSuspended('endpoint')} as "isSuspended", health.state as health
    from unnest($1::uuid[], $2::uuid[]) as wanted (endpoint_id, account_id)
    join deliveries.endpoint on endpoint.id = wanted.endpoint_id and endpoint.account_id = wanted.account_id
    left join deliveries.endpoint_health health
      on health.endpoint_id = endpoint.id and health.account_id = endpoint.account_id`,
  row: {
    endpointId: column.id,
    accountId: column.id,
    url: column.text,
    sealedSecret: column.text,
    enabled: column.boolean,
    hasAnswered: column.boolean,
    isSuspended: column.boolean,
    health: nullable(column.textOf<Health['state']>()),
  },
});
