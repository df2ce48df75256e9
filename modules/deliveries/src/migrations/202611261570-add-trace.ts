import type { MigrationEntry } from '@service/database';

/** The trace of OpenTelemetry that a delivery belongs to. */
export const migration202611261570: MigrationEntry = {
  name: '202611261570-add-trace',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [{ sql: 'alter table deliveries.delivery add column trace text null' }],
};
