import { Migration } from '@mikro-orm/migrations';

/** Indexes for lists of the refunds and chargebacks of a webinar or an offer, and for the due retries of each account. */
export class Migration20261123030000 extends Migration {
  override up(): void {
    // Only of adjustments, so a purchase costs nothing more.
    for (const record of ['webinar', 'interaction'])
      this.addSql(`
        create index credit_${record}_adjustment_index on revenue.credit (account_id, ${record}_id, occurred_at, id)
        where ${record}_id is not null and pairing <> 'own'`);
    this.addSql(`create index credit_retry_due_index on revenue.credit_retry (account_id, next_at)`);
    this.addSql(`drop index revenue.credit_retry_next_index`);
  }
}
