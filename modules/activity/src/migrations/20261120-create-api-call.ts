import { Migration } from '@mikro-orm/migrations';

export class CreateApiCall extends Migration {
  override up(): void {
    this.addSql(`create schema activity`);
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
        constraint api_call_pkey primary key (account_id, id)
      ) partition by range (id)`);
    this.addSql(`create table activity.api_call_default partition of activity.api_call default`);
  }
}
