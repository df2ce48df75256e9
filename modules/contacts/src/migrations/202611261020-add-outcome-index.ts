import type { MigrationEntry } from '@service/database';

/** The history by outcome. Most sends are done, and those are found in the order of their times. */
export const migration202611261020: MigrationEntry = {
  name: '202611261020-add-outcome-index',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      index: {
        table: 'contacts.send',
        name: 'send_outcome_index',
        on: "(account_id, connection_id, outcome, id) where outcome <> 'done'",
      },
    },
  ],
};
