import { Migration } from '@mikro-orm/migrations';

export class CreateKeptAnswer extends Migration {
  override up(): void {
    this.addSql(`create schema idempotency`);
    this.addSql(`
      create table idempotency.kept_answer (
        account_id uuid not null,
        key text not null,
        fingerprint bytea not null,
        status smallint not null,
        location text null,
        sealed_body text null,
        created_at timestamptz(3) not null,
        constraint kept_answer_pkey primary key (account_id, key)
      )`);
    this.addSql(`create index kept_answer_created_at_index on idempotency.kept_answer (created_at)`);
  }
}
