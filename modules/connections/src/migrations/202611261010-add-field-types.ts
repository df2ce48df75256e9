import type { MigrationEntry } from '@service/database';

/** The types of the fields of marketing tools, so that values are written in their form without a call. */
export const migration202611261010: MigrationEntry = {
  name: '202611261010-add-field-types',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [{ sql: `alter table connections.connection add column field_types jsonb not null default '{}'` }],
};
