import { Migration } from '@mikro-orm/migrations';

/** The people of a run whom the settings leave out. */
export class Migration202611261011 extends Migration {
  override up(): void {
    this.addSql('alter table contacts.run add column left_out integer not null default 0');
  }
}
