import type { MigrationEntry } from '@service/database';

/** The problem of each refused field of a call. */
export const migration202611261522: MigrationEntry = {
  name: '202611261522-keep-messages-of-refused-fields',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [{ sql: 'alter table activity.api_call add column refused_messages jsonb null' }],
};
