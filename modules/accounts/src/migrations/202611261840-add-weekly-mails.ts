import { closedSet, type MigrationEntry } from '@service/database';

/** Members can switch on the weekly mail. */
export const migration202611261840: MigrationEntry = {
  name: '202611261840-add-weekly-mails',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [closedSet('accounts.notification_setting', 'kind', ['stopped', 'failed', 'weekly'])],
};
