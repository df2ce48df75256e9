import { Migration } from '@mikro-orm/migrations';

export class Migration202611250444 extends Migration {
  override up(): void {
    this.addSql('create schema idempotency');
    // Postgres would try to compress the encrypted bytes, which is not possible.
    this.addSql(`
      create table idempotency.kept_answer (
        account_id uuid not null,
        key text not null,
        fingerprint bytea not null,
        status smallint not null,
        location text null,
        sealed_body text null,
        created_at timestamptz(3) not null,
        sealed bytea null,
        bytes integer not null default 0,
        constraint kept_answer_pkey primary key (account_id, key)
      );
      alter table idempotency.kept_answer alter column sealed set storage external;
      create index kept_answer_created_at_index on idempotency.kept_answer (created_at)`);
    this.addSql(`
      create table idempotency.kept_bytes (
        account_id uuid not null,
        slot smallint not null,
        bytes bigint not null,
        constraint kept_bytes_pkey primary key (account_id, slot)
      )`);
  }
}
