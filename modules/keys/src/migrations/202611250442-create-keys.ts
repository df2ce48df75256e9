import { Migration } from '@mikro-orm/migrations';

export class Migration202611250442 extends Migration {
  override up(): void {
    this.addSql('create schema keys');
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
        created_by_kind text not null,
        created_by_id uuid null,
        created_by_name text null,
        preset text null,
        constraint api_key_pkey primary key (account_id, id),
        constraint api_key_hash_unique unique (hash),
        constraint api_key_preset_check check (preset in ('full', 'read'))
      ) with (fillfactor = 80)`);
    // Half-filled pages keep the updates of a busy account on their page and out of the index.
    this.addSql(`
      create unlogged table keys.rate_window (
        account_id uuid not null,
        started_at timestamptz(0) not null,
        used integer not null,
        constraint rate_window_pkey primary key (account_id)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table keys.suspended_account (
        account_id uuid not null,
        constraint suspended_account_pkey primary key (account_id)
      )`);
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
      );
      create index access_token_grant_index on keys.access_token (account_id, grant_id, id);
      create index access_token_expires_at_index on keys.access_token (expires_at)`);
  }
}
