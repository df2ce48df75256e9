import { Migration } from '@mikro-orm/migrations';

export class Migration202611251930 extends Migration {
  override up(): void {
    this.addSql('create schema connections');
    this.addSql(`
      create table connections.connection (
        account_id uuid not null,
        id uuid not null,
        kind text not null,
        provider text not null,
        name text not null,
        credential_kind text not null,
        credential_version integer not null,
        sealed_credential text not null,
        credential_last4 text not null,
        settings jsonb not null,
        is_default boolean not null,
        state text not null,
        since timestamptz(3) not null,
        reason text null,
        paused_at timestamptz(3) null,
        laters integer not null,
        first_later_at timestamptz(3) null,
        notify_at timestamptz(3) null,
        notifications smallint not null,
        notified_at timestamptz(3) null,
        notified_state text null,
        last_success_at timestamptz(3) null,
        last_failure_at timestamptz(3) null,
        checked_at timestamptz(3) not null,
        created_by_kind text not null,
        created_by_id text null,
        updated_by_kind text not null,
        updated_by_id text null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint connection_pkey primary key (account_id, id),
        constraint connection_kind_check check (kind in ('mail')),
        constraint connection_provider_check check (provider in ('smtp', 'resend', 'postmark', 'sendgrid', 'brevo')),
        constraint connection_credential_kind_check check (credential_kind in ('key')),
        constraint connection_state_check check (state in ('connected', 'failing', 'disconnected', 'attention')),
        constraint connection_notified_state_check check (notified_state in ('connected', 'failing', 'disconnected', 'attention')),
        constraint connection_created_by_kind_check check (created_by_kind in ('member', 'operator')),
        constraint connection_updated_by_kind_check check (updated_by_kind in ('member', 'operator'))
      );
      create unique index connection_default_unique on connections.connection (account_id, kind) where is_default;
      create index connection_notify_index on connections.connection (notify_at) where notify_at is not null`);
    this.addSql(`
      create table connections.connection_change (
        account_id uuid not null,
        id uuid not null,
        connection_id uuid not null,
        provider text not null,
        name text not null,
        kind text not null,
        by_kind text not null,
        by_id text null,
        by_name text null,
        at timestamptz(3) not null,
        constraint connection_change_pkey primary key (account_id, id),
        constraint connection_change_kind_check check (kind in
          ('connected', 'credential_replaced', 'changed', 'made_default', 'paused', 'resumed', 'disconnected')),
        constraint connection_change_by_kind_check check (by_kind in ('member', 'operator'))
      )`);
  }
}
