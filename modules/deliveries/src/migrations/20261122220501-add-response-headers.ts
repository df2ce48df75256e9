import { Migration } from '@mikro-orm/migrations';

/** The headers of the response of an attempt. Null in the rows that are there already. */
export class Migration20261122220501 extends Migration {
  override up(): void {
    this.addSql(`alter table deliveries.attempt add column response_headers text null`);
  }
}
