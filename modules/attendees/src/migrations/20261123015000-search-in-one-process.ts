import { Migration } from '@mikro-orm/migrations';

/**
 * A search reads few rows by its index. The cost of the function, which makes Postgres use that index, also made it start a
 * parallel worker for each search: 11 ms instead of 1 ms with 100,000 registrations.
 */
export class Migration20261123015000 extends Migration {
  override up(): void {
    this.addSql('alter function attendees.search_terms(uuid, text, text) parallel unsafe');
  }
}
