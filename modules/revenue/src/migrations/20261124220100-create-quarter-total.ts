import { Migration } from '@mikro-orm/migrations';

/** Sums for each quarter of an hour, from which the days of every time zone are made. */
export class Migration20261124220100 extends Migration {
  override up(): void {
    // The insert reads every event.
    this.addSql(`set local statement_timeout = 0`);
    this.addSql(`
      create table revenue.quarter_total (
        account_id uuid not null,
        webinar_id uuid not null,
        quarter timestamptz(0) not null,
        currency text not null,
        gross_minor numeric(30,0) not null,
        refunds_minor numeric(30,0) not null,
        chargebacks_minor numeric(30,0) not null,
        purchases bigint not null,
        refunds bigint not null,
        chargebacks bigint not null,
        constraint quarter_total_pkey primary key (account_id, webinar_id, quarter, currency)
      ) with (fillfactor = 50)`);
    this.addSql(`
      insert into revenue.quarter_total
      select e.account_id, scope.webinar_id, date_bin('15 minutes', c.occurred_at, timestamptz 'epoch'), e.currency,
        coalesce(sum(coalesce(c.counted_minor, e.amount_minor)) filter (where e.type in ('purchase', 'purchase_reversal')), 0),
        coalesce(sum(coalesce(c.counted_minor, e.amount_minor)) filter (where e.type in ('refund', 'refund_reversal')), 0),
        coalesce(sum(coalesce(c.counted_minor, e.amount_minor)) filter (where e.type in ('chargeback', 'chargeback_reversal')), 0),
        count(*) filter (where e.type = 'purchase') - count(*) filter (where e.type = 'purchase_reversal'),
        count(*) filter (where e.type = 'refund' and c.counted_minor is distinct from 0)
          - count(*) filter (where e.type = 'refund_reversal' and c.counted_minor is distinct from 0),
        count(*) filter (where e.type = 'chargeback' and c.counted_minor is distinct from 0)
          - count(*) filter (where e.type = 'chargeback_reversal' and c.counted_minor is distinct from 0)
      from revenue.revenue_event e
      join revenue.credit c on c.account_id = e.account_id and c.id = e.id
      cross join lateral (
        select '00000000-0000-0000-0000-000000000000'::uuid as webinar_id
        union all
        select c.webinar_id where c.webinar_id is not null
      ) scope
      group by 1, 2, 3, 4`);
  }
}
