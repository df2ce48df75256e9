import { Migration } from '@mikro-orm/migrations';

/** Redeliveries, and an index for deliveries that failed or were cancelled. */
export class AddRedelivery extends Migration {
  override up(): void {
    this.addSql(`alter table deliveries.delivery add column redelivery_of uuid null`);
    this.addSql(`
      create index delivery_ended_index on deliveries.delivery (account_id, endpoint_id, ended_as, id)
      where ended_as is not null`);
  }
}
