import { Migration } from '@mikro-orm/migrations';

/** Renewals with the credit of their first payment, and registrations that were cancelled before the purchase. */
export class Migration20261124222000 extends Migration {
  override up(): void {
    this.addSql(`alter table revenue.credit add column renewal_of uuid null`);
    this.addSql(`
      create index credit_renewal_index on revenue.credit (account_id, renewal_of, id) where renewal_of is not null`);
    for (const table of ['total', 'quarter_total'])
      this.addSql(`
        alter table revenue.${table}
          add column renewals_minor numeric(30,0) not null default 0,
          add column renewals bigint not null default 0`);
    this.addSql(`alter table revenue.credit drop constraint credit_reason_check`);
    this.addSql(`
      alter table revenue.credit add constraint credit_reason_check
      check (reason in ('no_email', 'no_match', 'outside_window', 'touch_after_purchase', 'cancelled', 'unpaired', 'waiting')) not valid`);
    this.addSql(`alter table revenue.credit validate constraint credit_reason_check`);
  }
}
