import { Migration } from '@mikro-orm/migrations';

/** Sources of revenue events, and refused events. The column of the provider has no check: adding one needs no migration. */
export class Migration20261122235100 extends Migration {
  override up(): void {
    this.addSql(`
      create table revenue.source (
        account_id uuid not null,
        provider text not null,
        secret_id uuid not null,
        sealed_secret text not null,
        secret_last4 text not null,
        previous_secret_id uuid null,
        previous_sealed_secret text null,
        previous_secret_until timestamptz(3) null,
        created_at timestamptz(3) not null,
        last_received_at timestamptz(3) null,
        last_refused_at timestamptz(3) null,
        last_refused_reason text null,
        last_conflict_at timestamptz(3) null,
        last_conflict_event_id text null,
        constraint source_pkey primary key (account_id, provider)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table revenue.source_day (
        account_id uuid not null,
        provider text not null,
        day date not null,
        accepted int not null,
        duplicates int not null,
        ignored int not null,
        refused int not null,
        constraint source_day_pkey primary key (account_id, provider, day)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table revenue.suspended_account (
        account_id uuid not null,
        constraint suspended_account_pkey primary key (account_id)
      )`);
    this.addSql(`
      create table revenue.refused_event (
        account_id uuid not null,
        id uuid not null,
        provider text not null,
        reason text not null,
        issues jsonb not null,
        sealed_body bytea not null,
        size int not null,
        received_at timestamptz(3) not null,
        constraint refused_event_pkey primary key (account_id, id)
      )`);
    this.addSql(`create index refused_event_received_index on revenue.refused_event (received_at)`);
  }
}
