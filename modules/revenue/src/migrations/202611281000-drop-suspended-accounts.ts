import type { MigrationEntry } from '@service/database';

/** Only versions before 24 November 2026 read it. */
export const migration202611281000: MigrationEntry = {
  name: '202611281000-drop-suspended-accounts',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [{ sql: 'drop table revenue.suspended_account' }],
};
