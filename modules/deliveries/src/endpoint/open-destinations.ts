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

/** A destination as it was read, with its secret sealed. */
export interface SealedDestination extends Omit<Destination, 'keys' | 'health'> {
  sealedSecret: string;
  health: Health['state'] | null;
}

/** Joins the destination of the endpoint in `account` and `endpoint`, columns of another table, as `destination`. */
export const joinDestination = ({ account, endpoint }: { account: string; endpoint: string }): string => `
  cross join lateral (
    select url, sealed_secret as "sealedSecret", enabled, has_answered as "hasAnswered",
      ${isSuspended('endpoint')} as "isSuspended",
      (select state from deliveries.endpoint_health health
        where health.endpoint_id = endpoint.id and health.account_id = endpoint.account_id) as health
    from deliveries.endpoint where endpoint.id = ${endpoint} and endpoint.account_id = ${account}
    limit 1
  ) destination`;

/** The columns of `joinDestination`, in its order. */
export const destinationColumns = {
  url: column.text,
  sealedSecret: column.text,
  enabled: column.boolean,
  hasAnswered: column.boolean,
  isSuspended: column.boolean,
  health: nullable(column.textOf<Health['state']>()),
};

export interface DestinationOpener {
  /** Reads endpoints and opens their secrets. Keys of the answer are `endpointKey`s; endpoints that do not exist are left out. */
  read(endpoints: readonly EndpointKey[]): Promise<Map<string, Destination>>;
  /** Opens the secret of a destination that was read. */
  open(endpointId: string, destination: SealedDestination): Destination;
}

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
}: DestinationOpenerOptions): DestinationOpener {
  // By the sealed text, which changes with every rotation.
  // `max` would reserve the memory of all entries at once.
  const keysBySealed = new LRUCache<string, SigningKeys>({
    maxSize: cachedKeysMax,
    sizeCalculation: () => 1,
  });

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

  const open: DestinationOpener['open'] = (endpointId, sealed) => ({
    url: sealed.url,
    keys: openKeys(endpointId, sealed.sealedSecret),
    enabled: sealed.enabled,
    isSuspended: sealed.isSuspended,
    health: sealed.health ?? undefined,
    hasAnswered: sealed.hasAnswered,
  });

  return {
    open,
    async read(endpoints) {
      const rows = await query(readDestinations, rowsToColumns(endpoints, 'endpointId', 'accountId'));
      return new Map(
        rows.map(({ accountId, endpointId, ...destination }) => [
          endpointKey({ accountId, endpointId }),
          open(endpointId, destination),
        ]),
      );
    },
  };
}

/** $1 endpoint ids, $2 account ids. */
const readDestinations = statement({
  text: `
    select endpoint_id as "endpointId", account_id as "accountId", destination.*
    from unnest($1::uuid[], $2::uuid[]) as wanted (endpoint_id, account_id)
    ${joinDestination({ account: 'wanted.account_id', endpoint: 'wanted.endpoint_id' })}`,
  row: { endpointId: column.id, accountId: column.id, ...destinationColumns },
});
