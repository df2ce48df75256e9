import type { MigrationEntry } from '@service/database';

export const migration202611261006: MigrationEntry = {
  name: '202611261006-add-erasures',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    { sql: 'alter table contacts.change add column is_erasure boolean not null default false' },
    {
      backfill: {
        table: 'contacts.run',
        change: `update contacts.run r set after_contact = ''
          from batch b where (r.account_id, r.id) = (b.account_id, b.id) and r.status <> 'running'`,
      },
    },
  ],
};
