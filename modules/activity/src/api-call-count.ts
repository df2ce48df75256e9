import { defineEntity, p } from '@mikro-orm/postgresql';
import type { KeyCreator } from '@service/trpc';

/**
 * How many calls one key made over one surface in one quarter of an hour, and all keys of the account together in rows of
 * the key `allKeys`. However much an account calls, ninety days of it are at most 17,280 rows of either.
 */
export const ApiCallCount = defineEntity({
  name: 'ApiCallCount',
  tableName: 'api_call_count',
  schema: 'activity',
  indexes: [{ name: 'api_call_count_starts_at_index', properties: ['startsAt'] }],
  properties: {
    accountId: p.uuid().primary(),
    keyId: p.uuid().primary(),
    startsAt: p.datetime(3).primary(),
    surface: p.text().primary(),
    /** Empty in the rows of all keys. */
    keyLabel: p.text(),
    /** The creator of the key; null in the rows of all keys, and in rows that are older than this column. */
    keyCreatedBy: p.json().$type<KeyCreator>().nullable(),
    successes: p.integer(),
    failures: p.integer(),
  },
});

/** Stands for all keys of an account; no key has it. */
export const allKeys = '00000000-0000-0000-0000-000000000000';
