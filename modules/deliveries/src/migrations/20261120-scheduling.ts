import { Migration } from '@mikro-orm/migrations';

/**
 * Columns and tables for fair scheduling: tries apart from attempts (some attempts spend none), the worker of a claim, indexes for
 * first tries and retries, the order of an endpoint's deliveries, endpoint health and notices, and the details of an attempt.
 */
export class AddScheduling extends Migration {
  override up(): void {
    this.addSql(`alter table deliveries.endpoint add column enabled boolean not null default true`);
    this.addSql(`
      create table deliveries.endpoint_health (
        endpoint_id uuid not null,
        account_id uuid not null,
        state text not null,
        failures integer not null,
        since timestamptz(3) not null,
        probe_at timestamptz(3) null,
        probes smallint not null,
        drain_rate integer not null,
        last_failure text null,
        last_response_code smallint null,
        constraint endpoint_health_pkey primary key (endpoint_id, account_id)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table deliveries.endpoint_notice (
        id uuid not null,
        account_id uuid not null,
        endpoint_id uuid not null,
        kind text not null,
        reason text null,
        at timestamptz(3) not null,
        told_at timestamptz(3) null,
        constraint endpoint_notice_pkey primary key (id, account_id)
      )`);
    this.addSql(
      `create index endpoint_notice_untold_index on deliveries.endpoint_notice (id) where told_at is null`,
    );
    this.addSql(`
      create table deliveries.worker (
        number integer not null,
        started_at timestamptz(3) not null,
        constraint worker_pkey primary key (number)
      )`);
    this.addSql(`alter table deliveries.due add column tries smallint, add column worker integer null`);
    this.addSql(`update deliveries.due set tries = attempts`);
    this.addSql(`alter table deliveries.due alter column tries set not null`);
    this.addSql(`drop index deliveries.due_due_at_index`);
    this.addSql(`drop index deliveries.due_endpoint_index`);
    this.addSql(`create index due_first_index on deliveries.due (due_at) where attempts = 0`);
    this.addSql(`create index due_retry_index on deliveries.due (due_at) where attempts > 0`);
    this.addSql(
      `create index due_endpoint_index on deliveries.due (account_id, endpoint_id, due_at, delivery_id)`,
    );
    this.addSql(`alter table deliveries.delivery add column is_test boolean not null default false`);
    this.addSql(`
      alter table deliveries.attempt
        add column dns_ms integer null,
        add column connect_ms integer null,
        add column tls_ms integer null,
        add column first_byte_ms integer null,
        add column redirects text[] null,
        add column signature text null,
        add column standard_signature text null`);
  }
}
