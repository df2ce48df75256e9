import type { MigrationEntry } from '@service/database';

/** Workspaces that an owner has deleted and whose rows are being removed. */
export const migration202611261543: MigrationEntry = {
  name: '202611261543-create-deleted-workspaces',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      sql: `
      create table accounts.deleted_workspace (
        account_id uuid not null,
        deleted_at timestamptz(3) not null,
        next_purge_at timestamptz(3) not null,
        constraint deleted_workspace_pkey primary key (account_id)
      );
      create index deleted_workspace_next_purge_at_index on accounts.deleted_workspace (next_purge_at)`,
    },
  ],
};
