// Counters of sign-in attempts that all processes share, and the addresses each user has signed in from. Addresses and
// e-mails are stored as keyed hashes only. The counters are unlogged: they live for a minute at most, and a crash of
// Postgres may empty them.
import { Migration } from '@mikro-orm/migrations';

export class LimitSignIn extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table accounts.sign_in_attempt (
        "subject" text not null,
        "attempts" integer not null,
        "ends_at" timestamptz not null,
        constraint sign_in_attempt_pkey primary key ("subject")
      )`);
    this.addSql(`create index sign_in_attempt_ends_at_idx on accounts.sign_in_attempt ("ends_at")`);
    this.addSql(`
      create table accounts.known_address (
        "user_id" text not null,
        "address" text not null,
        "used_at" timestamptz not null,
        constraint known_address_pkey primary key ("user_id", "address"),
        constraint known_address_user_fkey foreign key ("user_id") references accounts."user" ("id") on delete cascade
      )`);
  }
}
