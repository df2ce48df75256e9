import { Migration } from '@mikro-orm/migrations';

export class Migration202611250443 extends Migration {
  override up(): void {
    this.addSql('create schema connectors');
    this.addSql(`
      create table connectors.client (
        id uuid not null,
        name text not null,
        redirect_uris text[] not null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        constraint client_pkey primary key (id)
      );
      create index client_expires_at_index on connectors.client (expires_at)`);
    this.addSql(`
      create table connectors.grant (
        account_id uuid not null,
        id uuid not null,
        client_id text not null,
        client_name text not null,
        client_host text null,
        redirect_uri text not null,
        scopes text[] not null,
        member_id uuid not null,
        member_name text not null,
        code_challenge text not null,
        secret_hash bytea not null,
        generation int not null,
        created_at timestamptz(3) not null,
        refreshed_at timestamptz(3) null,
        expires_at timestamptz(3) not null,
        ended_at timestamptz(3) null,
        end_reason text null,
        last_used_at timestamptz(3) null,
        requests bigint not null,
        constraint grant_pkey primary key (account_id, id),
        constraint grant_id_unique unique (id),
        constraint grant_end_reason_check check (end_reason in
          ('denied', 'revoked', 'replaced', 'member_removed', 'code_reused', 'refresh_token_reused'))
      ) with (fillfactor = 80);
      create index grant_expires_at_index on connectors.grant (expires_at)`);
  }
}
