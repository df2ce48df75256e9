import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { KeyCreator } from '@service/trpc';

/** Never holds the key itself: a digest to find it by, and the ends of its text to recognise it by. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  schema: 'keys',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    label: p.text(),
    prefix: p.text(),
    hint: p.text(),
    // The one unique key without account_id: a request carries nothing but the key.
    hash: p.blob().unique(),
    scopes: p.array(),
    surfaces: p.array(),
    createdAt: p.datetime(3),
    createdByKind: p.text().$type<KeyCreator['kind']>(),
    /** Of a member, as is the next. Kept after they have left. */
    createdById: p.uuid().nullable(),
    createdByName: p.text().nullable(),
    lastUsedAt: p.datetime(3).nullable(),
    requests: p.bigint('number'),
  },
});

export type ApiKey = InferEntity<typeof ApiKey>;
