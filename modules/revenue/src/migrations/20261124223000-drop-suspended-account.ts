import { Migration } from '@mikro-orm/migrations';

/** A suspended workspace stores signed events, like an active one. */
export class Migration20261124223000 extends Migration {
  override up(): void {
    this.addSql(`drop table revenue.suspended_account`);
  }
}
