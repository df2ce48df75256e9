import type { MigrationEntry } from '@service/database';

/** The imports of a connection in the order of their times. */
export const migration202611261120: MigrationEntry = {
  name: '202611261120-index-due-imports',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      index: {
        table: 'contacts.import_job',
        name: 'import_job_lane_index',
        on: '(account_id, connection_id, due_at)',
      },
    },
  ],
};
