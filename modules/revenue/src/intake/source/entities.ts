import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { RefusalReason } from '../provider.ts';

/** One provider of an account and the secrets that sign its events, sealed with the id of the secret as context. */
export const RevenueSource = defineEntity({
  name: 'RevenueSource',
  tableName: 'source',
  schema: 'revenue',
  properties: {
    accountId: p.uuid().primary(),
    provider: p.text().primary(),
    secretId: p.uuid(),
    sealedSecret: p.text(),
    secretLast4: p.text(),
    /** The secret before a rotation with an overlap. Null when there is none. */
    previousSecretId: p.uuid().nullable(),
    previousSealedSecret: p.text().nullable(),
    previousSecretUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    lastReceivedAt: p.datetime(3).nullable(),
    lastRefusedAt: p.datetime(3).nullable(),
    lastRefusedReason: p.text().$type<RefusalReason>().nullable(),
    /** The last repetition of an event id with other content. The first content was kept. */
    lastConflictAt: p.datetime(3).nullable(),
    lastConflictEventId: p.text().nullable(),
  },
});

export type RevenueSource = InferEntity<typeof RevenueSource>;

/** The events of a source on one UTC day, by their result. */
export const SourceDay = defineEntity({
  name: 'RevenueSourceDay',
  tableName: 'source_day',
  schema: 'revenue',
  properties: {
    accountId: p.uuid().primary(),
    provider: p.text().primary(),
    day: p.date().primary(),
    accepted: p.integer(),
    duplicates: p.integer(),
    ignored: p.integer(),
    refused: p.integer(),
  },
});

/** Processes of the version before 24 November 2026 refuse the events of these accounts. It stays empty, and the next release drops it. */
export const SuspendedAccount = defineEntity({
  name: 'RevenueSuspendedAccount',
  tableName: 'suspended_account',
  schema: 'revenue',
  properties: {
    accountId: p.uuid().primary(),
  },
});
