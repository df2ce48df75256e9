import { Migration } from '@mikro-orm/migrations';

/** Refunds that are known as the difference of two sums only. */
export class Migration20261124221000 extends Migration {
  override up(): void {
    this.addSql(`alter table revenue.revenue_event add column is_difference boolean not null default false`);
  }
}
