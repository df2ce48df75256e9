import { Migration } from '@mikro-orm/migrations';

/** Answers are compressed and sealed as bytes, and counted. Those that were kept before stay readable until they expire. */
export class CountKeptBytes extends Migration {
  override up(): void {
    this.addSql(`
      alter table idempotency.kept_answer
        add column sealed bytea null,
        add column bytes integer not null default 0`);
    // Postgres would try to compress the encrypted bytes, which is not possible.
    this.addSql(`alter table idempotency.kept_answer alter column sealed set storage external`);
    this.addSql(
      `update idempotency.kept_answer set bytes = 100 + octet_length(key) + coalesce(octet_length(sealed_body), 0)`,
    );
    this.addSql(`
      create table idempotency.kept_bytes (
        account_id uuid not null,
        slot smallint not null,
        bytes bigint not null,
        constraint kept_bytes_pkey primary key (account_id, slot)
      )`);
    this.addSql(`
      insert into idempotency.kept_bytes (account_id, slot, bytes)
      select account_id, 0, sum(bytes) from idempotency.kept_answer group by account_id`);
  }
}
