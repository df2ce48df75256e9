import type { MigrationEntry } from '@service/database';

/** The end of the time that the last daily mail to a member was about. */
export const migration202611261801: MigrationEntry = {
  name: '202611261801-add-mailed-until',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [{ sql: 'alter table accounts.notification_setting add column mailed_until timestamptz(3) null' }],
};
