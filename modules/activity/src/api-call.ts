import { defineEntity, p } from '@mikro-orm/postgresql';

/** One authenticated call. The key's label is kept as it was, so that it can be read after the key is revoked. */
export const ApiCall = defineEntity({
  name: 'ApiCall',
  tableName: 'api_call',
  schema: 'activity',
  indexes: [{ name: 'api_call_request_index', properties: ['accountId', 'requestId', 'id'] }],
  properties: {
    accountId: p.uuid().primary(),
    /** A UUIDv7 of the moment the call arrived; the table is partitioned by day on it. */
    id: p.uuid().primary(),
    surface: p.text(),
    status: p.smallint(),
    method: p.text().nullable(),
    path: p.text().nullable(),
    tool: p.text().nullable(),
    replayed: p.boolean(),
    keyId: p.uuid(),
    keyLabel: p.text(),
    durationMs: p.integer(),
    requestId: p.text(),
  },
});
