import type { MigrationEntry } from '@service/database';

/** Endpoints whose URL was changed and not tried since. */
export const migration202611261520: MigrationEntry = {
  name: '202611261520-add-untried-endpoints',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    { sql: 'alter table deliveries.endpoint_health add column is_untried boolean not null default false' },
  ],
};
