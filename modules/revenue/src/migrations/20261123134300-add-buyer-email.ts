import { Migration } from '@mikro-orm/migrations';

/** The e-mail address of the buyer, also for an event whose payment got it from another event. */
export class Migration20261123134300 extends Migration {
  override up(): void {
    // The update reads every credit.
    this.addSql(`set local statement_timeout = 0`);
    this.addSql(`alter table revenue.credit add column buyer_email text null`);
    this.addSql(`
      update revenue.credit c set buyer_email = coalesce(
        (select e.email from revenue.revenue_event e where e.account_id = c.account_id and e.id = c.id),
        (select p.email from revenue.payment p where p.account_id = c.account_id and p.id = c.payment_id))`);
    this.addSql(`
      create index credit_buyer_email_index on revenue.credit (account_id, buyer_email, occurred_at, id)
      where buyer_email is not null`);
    this.addSql(`drop index revenue.revenue_event_list_email_index`);
  }
}
