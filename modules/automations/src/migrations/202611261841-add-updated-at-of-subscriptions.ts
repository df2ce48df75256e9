import type { MigrationEntry } from '@service/database';

/** The time of the last change of a subscription. Null: it was never changed. */
export const migration202611261841: MigrationEntry = {
  name: '202611261841-add-updated-at-of-subscriptions',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [{ sql: 'alter table automations.subscription add column updated_at timestamptz(3) null' }],
};
