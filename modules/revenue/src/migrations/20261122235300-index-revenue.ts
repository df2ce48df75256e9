import { Migration } from '@mikro-orm/migrations';

/** Indexes for the filters of lists, and the sums of reports. */
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
    this.addSql(`
      create table revenue.daily_total (
        account_id uuid not null,
        webinar_id uuid not null,
        dimension text not null,
        day date not null,
        currency text not null,
        key text not null,
        gross_minor numeric(30,0) not null,
        refunds_minor numeric(30,0) not null,
        chargebacks_minor numeric(30,0) not null,
        purchases bigint not null,
        refunds bigint not null,
        chargebacks bigint not null,
        constraint daily_total_pkey primary key (account_id, webinar_id, dimension, day, currency, key),
        constraint daily_total_dimension_check
          check (dimension in ('level', 'webinar', 'offer', 'utm_source', 'source'))
      ) with (fillfactor = 50)`);
  }
}
