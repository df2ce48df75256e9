import type { MigrationEntry } from '@service/database';

/** The audit log: changes that members made in the dashboard. */
export const migration202611261541: MigrationEntry = {
  name: '202611261541-create-member-changes',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      sql: `
      create table accounts.member_change (
        account_id uuid not null,
        id uuid not null,
        member_id uuid not null,
        member_name text not null,
        procedure text not null,
        subject text null,
        records jsonb not null,
        fields text[] not null,
        constraint member_change_pkey primary key (account_id, id)
      ) partition by range (id);
      create table accounts.member_change_default partition of accounts.member_change default;
      create index member_change_member_index on accounts.member_change (account_id, member_id, id)`,
    },
  ],
};
