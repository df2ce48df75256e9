import type { MigrationEntry } from '@service/database';

export const migration202611261005: MigrationEntry = {
  name: '202611261005-add-erasures',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      sql: `
      create table attendees.erasure (
        account_id uuid not null,
        id uuid not null,
        address_hash text not null,
        sealed_address text null,
        registration_ids jsonb not null,
        requested_by text not null,
        requested_at timestamptz(3) not null,
        is_repetition boolean not null,
        step text not null,
        cursor text null,
        next_at timestamptz(3) null,
        finished_at timestamptz(3) null,
        constraint erasure_pkey primary key (account_id, id)
      );
      create index erasure_next_index on attendees.erasure (next_at) where next_at is not null;
      create index erasure_open_index on attendees.erasure (account_id, address_hash) where finished_at is null;
      create index erasure_finished_index on attendees.erasure (finished_at)`,
    },
  ],
};
