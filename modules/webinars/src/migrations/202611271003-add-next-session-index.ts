import type { MigrationEntry } from '@service/database';

/** The next session of each webinar of a list is one entry of it. */
export const migration202611271003: MigrationEntry = {
  name: '202611271003-add-next-session-index',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      index: {
        table: 'webinars.session',
        name: 'session_next_index',
        on: `(account_id, webinar_id, starts_at) where kind = 'scheduled' and status = 'scheduled'`,
      },
    },
  ],
};
