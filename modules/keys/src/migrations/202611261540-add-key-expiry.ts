import type { MigrationEntry } from '@service/database';

/** The end of a key. Null: it works until it is revoked. */
export const migration202611261540: MigrationEntry = {
  name: '202611261540-add-key-expiry',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [{ sql: 'alter table keys.api_key add column expires_at timestamptz(3) null' }],
};
