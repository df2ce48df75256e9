import { Migration } from '@mikro-orm/migrations';

/** Recoveries of an endpoint and time range, and an index from a delivery to its redeliveries. */
export class AddRecovery extends Migration {
  override up(): void {
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
        constraint recovery_pkey primary key (account_id, id)
      ) with (fillfactor = 50)`);
    this.addSql(`create index recovery_endpoint_index on deliveries.recovery (account_id, endpoint_id, id)`);
    this.addSql(`create index recovery_next_index on deliveries.recovery (next_at) where state = 'running'`);
    this.addSql(`
      create unique index recovery_running_unique on deliveries.recovery (account_id, endpoint_id)
      where state = 'running'`);
    this.addSql(`
      create index delivery_redelivery_index on deliveries.delivery (account_id, redelivery_of, id)
      where redelivery_of is not null`);
  }
}
