import { Migration } from '@mikro-orm/migrations';

/** For the list of webinars by title. */
export class Migration20261122235500 extends Migration {
  override up(): void {
    this.addSql('create index webinar_title_index on webinars.webinar (account_id, lower(title), id)');
  }
}
