import { Migration } from '@mikro-orm/migrations';

const failures = `'http_status', 'dns', 'blocked_address', 'connect', 'tls', 'timeout', 'reset', 'too_many_redirects',
          'invalid_redirect', 'invalid_url'`;

export class Migration202611250448 extends Migration {
  override up(): void {
    this.addSql('create schema deliveries');
    this.#createEndpoints();
    this.#createDeliveries();
    this.#createUsage();
    this.#createQueue();
    this.#createRuns();
    // Accounts for which nothing is sent, and those whose parked deliveries are being released.
    this.addSql(`
      create table deliveries.suspended_account (
        account_id uuid not null,
        resumed_at timestamptz(3) null,
        constraint suspended_account_pkey primary key (account_id)
      )`);
  }

  #createEndpoints(): void {
    this.addSql(`
      create table deliveries.endpoint (
        id uuid not null,
        account_id uuid not null,
        url text not null,
        sealed_secret text not null,
        secret_last4 text not null,
        created_at timestamptz(3) not null,
        enabled boolean not null default true,
        has_answered boolean not null default false,
        constraint endpoint_pkey primary key (id, account_id)
      )`);
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
        is_full boolean not null default false,
        constraint endpoint_health_pkey primary key (endpoint_id, account_id),
        constraint endpoint_health_state_check check (state in ('failing', 'paused', 'draining', 'halted')),
        constraint endpoint_health_last_failure_check check (last_failure in (
          ${failures}))
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
        constraint endpoint_notice_pkey primary key (id, account_id),
        constraint endpoint_notice_kind_check check (kind in ('paused', 'recovered')),
        constraint endpoint_notice_reason_check check (reason in (
          ${failures}))
      );
      create index endpoint_notice_untold_index on deliveries.endpoint_notice (id) where told_at is null`);
  }

  #createDeliveries(): void {
    this.addSql(`
      create table deliveries.delivery (
        id uuid not null,
        account_id uuid not null,
        endpoint_id uuid not null,
        event_type text not null,
        body text null,
        is_refire boolean not null,
        attempts_max smallint not null,
        created_at timestamptz(3) not null,
        ended_as text null,
        redelivery_of uuid null,
        is_test boolean not null default false,
        registration_id uuid null,
        replaced_by uuid null,
        body_id uuid null,
        failure text null,
        constraint delivery_pkey primary key (id, account_id),
        constraint delivery_ended_as_check check (ended_as in ('failure', 'cancelled')),
        constraint delivery_failure_check check (failure in ('backlog_full'))
      ) partition by range (id);
      create table deliveries.delivery_default partition of deliveries.delivery default;
      create index delivery_endpoint_index on deliveries.delivery (account_id, endpoint_id, id);
      create index delivery_ended_index on deliveries.delivery (account_id, endpoint_id, ended_as, id)
        where ended_as is not null;
      create index delivery_redelivery_index on deliveries.delivery (account_id, redelivery_of, id)
        where redelivery_of is not null;
      create index delivery_account_index on deliveries.delivery (account_id, id);
      create index delivery_account_ended_index on deliveries.delivery (account_id, ended_as, id)
        where ended_as is not null;
      create index delivery_registration_index on deliveries.delivery (account_id, registration_id, id)
        where registration_id is not null`);
    // A body is stored once for all deliveries of a call that have the same one.
    this.addSql(`
      create table deliveries.body (
        id uuid not null,
        account_id uuid not null,
        body text not null,
        constraint body_pkey primary key (id, account_id)
      ) partition by range (id);
      create table deliveries.body_default partition of deliveries.body default`);
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
        dns_ms integer null,
        connect_ms integer null,
        tls_ms integer null,
        first_byte_ms integer null,
        redirects text[] null,
        signature text null,
        standard_signature text null,
        response_headers text null,
        constraint attempt_pkey primary key (delivery_id, number, account_id),
        constraint attempt_failure_check check (failure in (
          ${failures}))
      ) partition by range (delivery_id);
      create table deliveries.attempt_default partition of deliveries.attempt default`);
  }

  #createUsage(): void {
    this.addSql(`
      create table deliveries.usage (
        account_id uuid not null,
        slot integer not null,
        waiting bigint not null,
        bytes bigint not null,
        constraint usage_pkey primary key (account_id, slot)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table deliveries.stored_day (
        account_id uuid not null,
        day date not null,
        bytes bigint not null,
        constraint stored_day_pkey primary key (account_id, day)
      )`);
    // Counts by quarter of an hour. Workers fill them, from the oldest delivery on.
    this.addSql(`
      create table deliveries.delivery_count (
        first_id uuid not null,
        account_id uuid not null,
        endpoint_id uuid not null,
        deliveries integer not null,
        durations int[] not null,
        constraint delivery_count_pkey primary key (first_id, account_id, endpoint_id)
      ) partition by range (first_id);
      create table deliveries.delivery_count_default partition of deliveries.delivery_count default;
      create index delivery_count_endpoint_index
        on deliveries.delivery_count (account_id, endpoint_id, first_id)`);
  }

  #createQueue(): void {
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
        tries smallint not null,
        worker integer null,
        own_due_at timestamptz(6) null,
        constraint due_pkey primary key (delivery_id, account_id)
      ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
      create index due_first_index on deliveries.due (due_at) where attempts = 0;
      create index due_retry_index on deliveries.due (due_at) where attempts > 0;
      create index due_endpoint_index on deliveries.due (account_id, endpoint_id, due_at, delivery_id)`);
    // A worker of an earlier version reads only `delivery.body`: while one lives (`reads_bodies`), the body is written there too.
    this.addSql(`
      create table deliveries.worker (
        number integer not null,
        started_at timestamptz(3) not null,
        reads_bodies boolean not null default false,
        constraint worker_pkey primary key (number)
      )`);
  }

  /** Work on many deliveries of an endpoint: recoveries, runs that send everything that waits, cancellations. */
  #createRuns(): void {
    this.addSql(`
      create table deliveries.recovery (
        account_id uuid not null,
        id uuid not null,
        endpoint_id uuid not null,
        since timestamptz(3) not null,
        until timestamptz(3) not null,
        statuses text[] not null,
        event_types text[] null,
        state text not null,
        cancel_reason text null,
        total integer not null,
        is_total_capped boolean not null,
        queued integer not null,
        cursor uuid not null,
        next_at timestamptz(6) not null,
        created_at timestamptz(3) not null,
        finished_at timestamptz(3) null,
        constraint recovery_pkey primary key (account_id, id),
        constraint recovery_state_check check (state in ('running', 'done', 'cancelled')),
        constraint recovery_cancel_reason_check check (cancel_reason in ('requested', 'switched_off', 'deleted'))
      ) with (fillfactor = 50);
      create index recovery_endpoint_index on deliveries.recovery (account_id, endpoint_id, id);
      create index recovery_next_index on deliveries.recovery (next_at) where state = 'running';
      create unique index recovery_running_unique on deliveries.recovery (account_id, endpoint_id)
        where state = 'running'`);
    this.addSql(`
      create table deliveries.flush (
        account_id uuid not null,
        endpoint_id uuid not null,
        id uuid not null,
        state text not null,
        total integer not null,
        parked_until timestamptz(6) not null,
        is_parked boolean not null,
        next_at timestamptz(6) not null,
        started_at timestamptz(3) not null,
        finished_at timestamptz(3) null,
        is_stopping boolean not null default false,
        constraint flush_pkey primary key (account_id, endpoint_id),
        constraint flush_state_check check (state in ('running', 'done', 'cancelled'))
      ) with (fillfactor = 50);
      create index flush_next_index on deliveries.flush (next_at) where state = 'running'`);
    // Endpoints whose waiting deliveries are being cancelled.
    this.addSql(`
      create table deliveries.cancellation (
        account_id uuid not null,
        endpoint_id uuid not null,
        constraint cancellation_pkey primary key (account_id, endpoint_id)
      )`);
  }
}
