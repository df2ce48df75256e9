import { Migration } from '@mikro-orm/migrations';

export class CreateApiKey extends Migration {
  override up(): void {
    this.addSql(`create schema keys`);
    this.addSql(`
      create table keys.api_key (
        account_id uuid not null,
        id uuid not null,
        label text not null,
        prefix text not null,
        hint text not null,
        hash bytea not null,
        scopes text[] not null,
        surfaces text[] not null,
        created_at timestamptz(3) not null,
        last_used_at timestamptz(3) null,
        requests bigint not null,
        constraint api_key_pkey primary key (account_id, id),
        constraint api_key_hash_unique unique (hash)
      ) with (fillfactor = 80)`);
  }
}
