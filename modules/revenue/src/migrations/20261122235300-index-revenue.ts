import { Migration } from '@mikro-orm/migrations';

/** Indexes for the filters of lists. */
export class Migration20261122235300 extends Migration {
  override up(): void {
    const events = 'revenue.revenue_event (account_id';
    this.addSql(`
      create index revenue_event_list_email_index on ${events}, email, occurred_at, id) where email is not null`);
    this.addSql(`
      create index revenue_event_type_index on ${events}, type, occurred_at, id) where type <> 'purchase'`);
    this.addSql(`create index revenue_event_source_index on ${events}, provider, occurred_at, id)`);
    this.addSql(`
      create index credit_attributed_index on revenue.credit (account_id, occurred_at, id)
      where level <> 'unattributed'`);
  }
}
