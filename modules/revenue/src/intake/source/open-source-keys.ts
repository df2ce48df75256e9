// The keys that prove events. Every read is of the present rows, so a removed secret proves nothing after the commit. The keys of
// earlier reads are remembered and tried first: an event with a valid signature then costs no read of its own, because the
// transaction that stores it checks that its secret is still in use. Only events with another signature cost a read, and these are
// counted by address.
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { createBatcher } from '@service/background';
import { column, nullable, statement, type Query, type RowsOf } from '@service/database';
import { commonErrors } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import { LRUCache } from 'lru-cache';

/** The keys of a source: the present and the previous one. There are always two, so that each check computes the same number of HMACs. */
export interface SourceKeys {
  /** False for an account or a source that does not exist. */
  exists: boolean;
  keys: readonly [SourceKey, SourceKey];
}

export interface SourceKey {
  key: KeyObject;
  /** The id of the secret. Undefined for a key that proves nothing. */
  secretId: string | undefined;
}

export interface SourceAddress {
  accountId: string;
  provider: string;
}

/** A read without locks, so sources of many accounts can share one statement. */
const selectSecrets = statement({
  name: 'revenue.select_source_secrets',
  text: `
    select k.place::int, s.secret_id, s.sealed_secret,
      case when s.previous_secret_until > now() then s.previous_secret_id end as previous_secret_id,
      case when s.previous_secret_until > now() then s.previous_sealed_secret end as previous_sealed_secret
    from unnest($1::uuid[], $2::text[]) with ordinality as k (account_id, provider, place)
    join revenue.source s on s.account_id = k.account_id and s.provider = k.provider`,
  row: {
    place: column.integer,
    secret_id: column.id,
    sealed_secret: column.text,
    previous_secret_id: nullable(column.id),
    previous_sealed_secret: nullable(column.text),
  },
});

/** About 10 MB. */
const rememberedMax = 20_000;
const batchMax = 100;
const concurrency = 2;
const waitingMax = 2000;
const waitMs = 1;

interface Waiting {
  address: SourceAddress;
  resolve(keys: SourceKeys): void;
  reject(error: unknown): void;
}

export type SourceKeyReader = ReturnType<typeof createSourceKeyReader>;

export function createSourceKeyReader(query: Query, secretBox: SecretBox) {
  const reads = new Map<string, Promise<SourceKeys>>();
  // `max` would reserve the memory of all entries at once.
  const remembered = new LRUCache<string, SourceKeys>({ maxSize: rememberedMax, sizeCalculation: () => 1 });

  const toKey = (secretId: string | null, sealed: string | null): SourceKey =>
    secretId === null || sealed === null
      ? noKey
      : { secretId, key: createSecretKey(secretBox.open(sealed, secretId), 'utf8') };

  const toKeys = (address: SourceAddress, row: RowsOf<typeof selectSecrets> | undefined): SourceKeys => {
    if (!row) {
      remembered.delete(nameOf(address));
      return noKeys;
    }
    const current = toKey(row.secret_id, row.sealed_secret);
    const previous = toKey(row.previous_secret_id, row.previous_sealed_secret);
    const found: SourceKeys = { exists: true, keys: [current, previous] };
    remembered.set(nameOf(address), found);
    return found;
  };

  const run = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const rows = await query(selectSecrets, [
        batch.map(({ address }) => address.accountId),
        batch.map(({ address }) => address.provider),
      ]);
      const rowByPlace = new Map(rows.map((row) => [row.place, row]));
      for (const [index, { address, resolve, reject }] of batch.entries()) {
        // A secret that was sealed with an unknown key fails only the events of its source.
        try {
          resolve(toKeys(address, rowByPlace.get(index + 1)));
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const batcher = createBatcher<Waiting>({
    run,
    waitMs,
    batchMax,
    concurrency,
    waitingMax,
    groupOf: ({ address }) => address.accountId,
  });

  return {
    /** The keys of the last read. They may be out of date. Keys that prove nothing when there was none. */
    remembered: (address: SourceAddress): SourceKeys => remembered.get(nameOf(address)) ?? noKeys,
    /** The result of a read of these keys that is under way. Undefined when there is none. */
    underWay: (address: SourceAddress): Promise<SourceKeys> | undefined => reads.get(nameOf(address)),
    /** The present keys. Throws service_busy. */
    read(address: SourceAddress): Promise<SourceKeys> {
      const { promise, resolve, reject } = Promise.withResolvers<SourceKeys>();
      if (!batcher.add({ address, resolve, reject }))
        reject(commonErrors.service_busy({ retryAfterSeconds: 2 }));
      reads.set(nameOf(address), promise);
      const forget = (): void => {
        if (reads.get(nameOf(address)) === promise) reads.delete(nameOf(address));
      };
      promise.then(forget, forget);
      return promise;
    },
    drain: batcher.drain,
  };
}

const noKey: SourceKey = { secretId: undefined, key: createSecretKey(randomBytes(32)) };

const noKeys: SourceKeys = { exists: false, keys: [noKey, noKey] };

/** An address as the key of a map. */
export const nameOf = ({ accountId, provider }: SourceAddress): string => `${accountId} ${provider}`;
