import { Migration } from '@mikro-orm/migrations';

export class CreateDeliveries extends Migration {
  override up(): void {
    this.addSql(`create schema deliveries`);
    this.addSql(`
      create table deliveries.endpoint (
        id uuid not null,
        account_id uuid not null,
        url text not null,
        sealed_secret text not null,
        secret_last4 text not null,
        created_at timestamptz(3) not null,
        constraint endpoint_pkey primary key (id, account_id)
      )`);
    this.addSql(`
      create table deliveries.delivery (
        id uuid not null,
        account_id uuid not null,
        endpoint_id uuid not null,
        event_type text not null,
        body text not null,
        is_refire boolean not null,
        attempts_max smallint not null,
        created_at timestamptz(3) not null,
        ended_as text null,
        constraint delivery_pkey primary key (id, account_id)
      ) partition by range (id)`);
    this.addSql(`create index delivery_endpoint_index on deliveries.delivery (account_id, endpoint_id, id)`);
    this.addSql(`create table deliveries.delivery_default partition of deliveries.delivery default`);
    this.addSql(`
      create table deliveries.attempt (
        delivery_id uuid not null,
        number smallint not null,
        account_id uuid not null,
        url text not null,
        started_at timestamptz(3) not null,
        duration_ms integer not null,
        response_code smallint null,
        response_snippet text null,
        failure text null,
        failure_message text null,
        constraint attempt_pkey primary key (delivery_id, number, account_id)
      ) partition by range (delivery_id)`);
    this.addSql(`create table deliveries.attempt_default partition of deliveries.attempt default`);
    // Rows live for seconds. Half-filled pages let a claim stay on its page and out of the indexes, and with early vacuums
    // claims read few deleted rows.
    this.addSql(`
      create table deliveries.due (
        delivery_id uuid not null,
        account_id uuid not null,
        endpoint_id uuid not null,
        due_at timestamptz(6) not null,
        attempts smallint not null,
        leased_until timestamptz(6) null,
        claim uuid null,
        constraint due_pkey primary key (delivery_id, account_id)
      ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    this.addSql(`create index due_due_at_index on deliveries.due (due_at)`);
    this.addSql(`create index due_endpoint_index on deliveries.due (account_id, endpoint_id)`);
  }
}
