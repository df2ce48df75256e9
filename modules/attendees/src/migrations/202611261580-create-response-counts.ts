import type { MigrationEntry } from '@service/database';

export const migration202611261580: MigrationEntry = {
  name: '202611261580-create-response-counts',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      sql: `
      create table attendees.response_count (
        account_id uuid not null,
        interaction_id uuid not null,
        counted_before uuid not null,
        counts jsonb not null,
        constraint response_count_pkey primary key (account_id, interaction_id)
      )`,
    },
  ],
};
