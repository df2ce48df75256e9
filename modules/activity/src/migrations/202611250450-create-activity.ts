import { Migration } from '@mikro-orm/migrations';

export class Migration202611250450 extends Migration {
  override up(): void {
    this.addSql('create schema activity');
    this.addSql(`
      create table activity.api_call (
        account_id uuid not null,
        id uuid not null,
        surface text not null,
        status smallint not null,
        method text null,
        path text null,
        tool text null,
        replayed boolean not null,
        key_id uuid not null,
        key_label text not null,
        duration_ms integer not null,
        request_id text not null,
        error_code text null,
        refused_fields jsonb null,
        user_agent text null,
        address text null,
        idempotency_key text null,
        constraint api_call_pkey primary key (account_id, id),
        constraint api_call_surface_check check (surface in ('rest', 'mcp'))
      ) partition by range (id);
      create table activity.api_call_default partition of activity.api_call default;
      create index api_call_request_index on activity.api_call (account_id, request_id, id);
      create index api_call_error_index on activity.api_call (account_id, error_code, id)
        where error_code is not null`);
    // Counts by quarter of an hour. They are updated in place while their quarter lasts: room on the page keeps that out of the
    // indexes.
    this.addSql(`
      create table activity.api_call_count (
        account_id uuid not null,
        key_id uuid not null,
        starts_at timestamptz(3) not null,
        surface text not null,
        key_label text not null,
        successes integer not null,
        failures integer not null,
        key_created_by jsonb null,
        credential_kind text null,
        constraint api_call_count_pkey primary key (account_id, key_id, starts_at, surface),
        constraint api_call_count_surface_check check (surface in ('rest', 'mcp')),
        constraint api_call_count_credential_kind_check check (credential_kind in ('key', 'grant'))
      ) with (fillfactor = 70);
      create index api_call_count_starts_at_index on activity.api_call_count (starts_at)`);
  }
}
