import type { MigrationEntry } from '@service/database';

/** A worker of a version without erasures ends an erasure as a change without parts, so the person would stay in the tool. */
export const migration202611261101: MigrationEntry = {
  name: '202611261101-require-erasures',
  compatibleFrom: '202611261006-add-erasures',
  // Changes nothing: a migration needs a step.
  steps: [{ sql: 'alter table contacts.change alter column is_erasure set default false' }],
};
