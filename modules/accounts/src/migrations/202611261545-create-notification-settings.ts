import type { MigrationEntry } from '@service/database';

/** The mails that a member has switched on or off. No row: the default of their role. */
export const migration202611261545: MigrationEntry = {
  name: '202611261545-create-notification-settings',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      sql: `
      create table accounts.notification_setting (
        account_id text not null,
        user_id text not null,
        kind text not null,
        is_on boolean not null,
        constraint notification_setting_pkey primary key (account_id, user_id, kind),
        constraint notification_setting_kind_check check (kind in ('stopped', 'failed')),
        constraint notification_setting_member_fkey foreign key (account_id, user_id)
          references accounts.member ("organizationId", "userId") on delete cascade
      );
      create index notification_setting_on_index on accounts.notification_setting (kind, account_id) where is_on`,
    },
  ],
};
