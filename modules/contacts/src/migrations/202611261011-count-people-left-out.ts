import type { MigrationEntry } from '@service/database';

/** The people of a run whom the settings leave out. */
export const migration202611261011: MigrationEntry = {
  name: '202611261011-count-people-left-out',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [{ sql: 'alter table contacts.run add column left_out integer not null default 0' }],
};
