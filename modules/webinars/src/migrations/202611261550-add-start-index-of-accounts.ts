import type { MigrationEntry } from '@service/database';

export const migration202611261550: MigrationEntry = {
  name: '202611261550-add-start-index-of-accounts',
  compatibleFrom: '202611260030-add-chat-interactions',
  steps: [
    {
      index: {
        table: 'webinars.session',
        name: 'session_account_start_index',
        on: `(account_id, starts_at, id) where status in ('scheduled', 'live') and kind <> 'on_demand'`,
      },
    },
  ],
};
