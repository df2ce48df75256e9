import { defineEntity, p } from '@mikro-orm/postgresql';

/** The answer of a write with an idempotency key. It is sealed because it can contain a secret that is shown once. */
export const KeptAnswerRow = defineEntity({
  name: 'KeptAnswer',
  tableName: 'kept_answer',
  schema: 'idempotency',
  indexes: [{ name: 'kept_answer_created_at_index', properties: ['createdAt'] }],
  properties: {
    accountId: p.uuid().primary(),
    key: p.text().primary(),
    /** SHA-256 of the request. Another request with the same key has another one. */
    fingerprint: p.blob(),
    status: p.smallint(),
    location: p.text().nullable(),
    /** The body of answers from before 2026-11-22, not compressed. */
    sealedBody: p.text().nullable(),
    /** The compressed and sealed body. Null for an answer without one. */
    sealed: p.blob().nullable(),
    /** Counted in `kept_bytes`. */
    bytes: p.integer().default(0),
    createdAt: p.datetime(3),
  },
});

/**
 * Bytes of the kept answers of an account. The total is the sum of its parts: each write adds to one of them, so that the writes
 * of an account do not wait for each other's commit.
 */
export const KeptBytes = defineEntity({
  name: 'KeptBytes',
  tableName: 'kept_bytes',
  schema: 'idempotency',
  properties: {
    accountId: p.uuid().primary(),
    /** Part 0 belongs to the sweep, and becomes negative when answers expire. */
    slot: p.smallint().primary(),
    bytes: p.bigint('number'),
  },
});
