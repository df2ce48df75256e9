import { Migration } from '@mikro-orm/migrations';

/** Counts of deliveries by quarter of an hour. Workers fill them, from the oldest delivery on. */
export class Migration20261123032500 extends Migration {
  override up(): void {
    this.addSql(`
      create table deliveries.delivery_count (
        first_id uuid not null,
        account_id uuid not null,
        endpoint_id uuid not null,
        deliveries integer not null,
        durations int[] not null,
        constraint delivery_count_pkey primary key (first_id, account_id, endpoint_id)
      ) partition by range (first_id)`);
    this.addSql(
      `create index delivery_count_endpoint_index on deliveries.delivery_count (account_id, endpoint_id, first_id)`,
    );
    this.addSql(
      `create table deliveries.delivery_count_default partition of deliveries.delivery_count default`,
    );
  }
}
