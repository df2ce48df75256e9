import type { MigrationEntry } from '@service/database';

/** Imports that a tool has accepted and whose result was not read yet. */
export const migration202611261012: MigrationEntry = {
  name: '202611261012-create-import-jobs',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      sql: `
      create table contacts.import_job (
        account_id uuid not null,
        connection_id uuid not null,
        id text not null,
        first_send_id uuid not null,
        attempts smallint not null,
        due_at timestamptz(3) not null,
        constraint import_job_pkey primary key (account_id, connection_id, id)
      );
      create index import_job_due_index on contacts.import_job (due_at)`,
    },
  ],
};
