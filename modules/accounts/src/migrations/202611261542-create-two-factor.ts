import type { MigrationEntry } from '@service/database';

/** The tables of better-auth's plugin for a second factor, with its names. Its verifications are found by their user when they end. */
export const migration202611261542: MigrationEntry = {
  name: '202611261542-create-two-factor',
  compatibleFrom: '202611261004-add-replay-path',
  steps: [
    {
      sql: `
      alter table accounts."user" add column "twoFactorEnabled" boolean null;
      create table accounts.two_factor (
        "id" text not null,
        "secret" text not null,
        "backupCodes" text not null,
        "userId" text not null,
        "verified" boolean null,
        "failedVerificationCount" integer null,
        "lockedUntil" timestamptz null,
        constraint two_factor_pkey primary key ("id"),
        constraint two_factor_user_unique unique ("userId"),
        constraint two_factor_user_fkey foreign key ("userId") references accounts."user" ("id") on delete cascade
      )`,
    },
    { index: { table: 'accounts.verification', name: 'verification_value_index', on: '("value")' } },
  ],
};
