import { defineEntity, p } from '@mikro-orm/postgresql';
import { allSurfaces } from '@service/catalogue';
import type { KeyCreator } from '@service/trpc';

/** One authenticated call. It contains the label of its key or grant, so that it can be read after that is revoked. */
const ApiCall = defineEntity({
  name: 'ApiCall',
  tableName: 'api_call',
  schema: 'activity',
  indexes: [
    { name: 'api_call_request_index', properties: ['accountId', 'requestId', 'id'] },
    {
      name: 'api_call_error_index',
      properties: ['accountId', 'errorCode', 'id'],
      where: 'error_code is not null',
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    /** A UUIDv7 of the time of the call. The table is partitioned by day on it. */
    id: p.uuid().primary(),
    surface: p.enum([...allSurfaces]),
    status: p.smallint(),
    method: p.text().nullable(),
    path: p.text().nullable(),
    tool: p.text().nullable(),
    replayed: p.boolean(),
    keyId: p.uuid(),
    keyLabel: p.text(),
    durationMs: p.integer(),
    requestId: p.text(),
    /** Null for a success, and in rows that are older than this column. */
    errorCode: p.text().nullable(),
    /** Paths, never values. */
    refusedFields: p.json().$type<string[]>().nullable(),
    /** The problem of each of them, without values. Null in rows that are older than this column. */
    refusedMessages: p.json().$type<string[]>().nullable(),
    userAgent: p.text().nullable(),
    address: p.text().nullable(),
    idempotencyKey: p.text().nullable(),
  },
});

/** The kinds of credentials. Their ids are in `keyId`. */
export const credentialKinds = ['key', 'grant'] as const;

/**
 * Calls of one key or grant over one surface in one quarter of an hour. Rows of the key `allKeys` count the calls of all keys of the
 * account. Ninety days have at most 17,280 rows for a key, however many calls there are.
 */
const ApiCallCount = defineEntity({
  name: 'ApiCallCount',
  tableName: 'api_call_count',
  schema: 'activity',
  indexes: [{ name: 'api_call_count_starts_at_index', properties: ['startsAt'] }],
  properties: {
    accountId: p.uuid().primary(),
    keyId: p.uuid().primary(),
    startsAt: p.datetime(3).primary(),
    surface: p.enum([...allSurfaces]).primary(),
    /** Empty in the rows of all keys. */
    keyLabel: p.text(),
    /** The creator of the key. Null in the rows of all keys and in rows that are older than this column. */
    keyCreatedBy: p.json().$type<KeyCreator>().nullable(),
    /** Null in the rows of all keys and in rows that are older than this column. */
    credentialKind: p.enum([...credentialKinds]).nullable(),
    successes: p.integer(),
    failures: p.integer(),
  },
});

/** The key id in the counts of all keys of an account. No key has it. */
export const allKeys = '00000000-0000-0000-0000-000000000000';

/** A call with this status or a higher one has failed. */
export const firstFailure = 400;

export const activityEntities = [ApiCall, ApiCallCount];
