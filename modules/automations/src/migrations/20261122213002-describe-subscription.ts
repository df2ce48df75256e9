import { Migration } from '@mikro-orm/migrations';

export class Migration20261122213002 extends Migration {
  override up(): void {
    this.addSql(`alter table automations.subscription add column description text null`);
  }
}
