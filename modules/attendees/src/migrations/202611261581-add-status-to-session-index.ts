import type { MigrationEntry } from '@service/database';

/** The registrations of a session are counted from the index alone. */
export const migration202611261581: MigrationEntry = {
  name: '202611261581-add-status-to-session-index',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      index: {
        table: 'attendees.registration',
        name: 'registration_session_status_index',
        on: '(account_id, session_id, id) include (status)',
      },
    },
    { sql: 'drop index attendees.registration_session_index' },
  ],
};
