import { Migration } from '@mikro-orm/migrations';

export class Migration20261123031500 extends Migration {
  override up(): void {
    this.addSql(`
      create table keys.access_token (
        account_id uuid not null,
        id uuid not null,
        grant_id uuid not null,
        label text not null,
        hash bytea not null,
        scopes text[] not null,
        created_by_kind text not null,
        created_by_id uuid null,
        created_by_name text null,
        expires_at timestamptz(3) not null,
        constraint access_token_pkey primary key (account_id, id),
        constraint access_token_hash_unique unique (hash)
      )`);
    this.addSql(`create index access_token_grant_index on keys.access_token (account_id, grant_id, id)`);
    this.addSql(`create index access_token_expires_at_index on keys.access_token (expires_at)`);
  }
}
