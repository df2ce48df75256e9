import { defineEntity, p } from '@mikro-orm/postgresql';

/** The answer to a write that carried an idempotency key. Sealed: it can hold a one-time secret. */
export const KeptAnswerRow = defineEntity({
  name: 'KeptAnswer',
  tableName: 'kept_answer',
  schema: 'idempotency',
  indexes: [{ name: 'kept_answer_created_at_index', properties: ['createdAt'] }],
  properties: {
    accountId: p.uuid().primary(),
    key: p.text().primary(),
    /** SHA-256 of the request, to tell a retry from another request. */
    fingerprint: p.blob(),
    status: p.smallint(),
    location: p.text().nullable(),
    /** Used by answers that were stored before 2026-11-22; not compressed. */
    sealedBody: p.text().nullable(),
    /** Null where the answer has no body. */
    sealed: p.blob().nullable(),
    /** Counted in `kept_bytes`. */
    bytes: p.integer().default(0),
    createdAt: p.datetime(3),
  },
});
