import { defineEntity, p } from '@mikro-orm/postgresql';

/**
 * Bytes of the answers that are kept for an account, in parts: the total is their sum. Each write adds to one of several
 * parts, so that the writes of an account do not wait for each other's commit.
 */
export const KeptBytes = defineEntity({
  name: 'KeptBytes',
  tableName: 'kept_bytes',
  schema: 'idempotency',
  properties: {
    accountId: p.uuid().primary(),
    /** 0 is the sweep's; its part becomes negative as answers expire. */
    slot: p.smallint().primary(),
    bytes: p.bigint('number'),
  },
});
