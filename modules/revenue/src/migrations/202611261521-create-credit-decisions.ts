import type { MigrationEntry } from '@service/database';

/** Credits that owners gave by hand or took away. */
export const migration202611261521: MigrationEntry = {
  name: '202611261521-create-credit-decisions',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      sql: `
        create table revenue.credit_decision (
          account_id uuid not null,
          payment_id uuid not null,
          touch jsonb null,
          why text not null,
          made_by uuid not null,
          made_by_name text not null,
          made_at timestamptz(3) not null,
          constraint credit_decision_pkey primary key (account_id, payment_id)
        )`,
    },
  ],
};
