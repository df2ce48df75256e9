import { Migration } from '@mikro-orm/migrations';

/** Events of payments that an invoice may still join wait before they are published. */
export class Migration20261124223500 extends Migration {
  override up(): void {
    this.addSql(
      `alter table revenue.purchase_description add column may_be_joined boolean not null default false`,
    );
    this.addSql(`alter table revenue.payment add column joinable_until timestamptz(3) null`);
    this.addSql(`
      create index payment_joinable_index on revenue.payment (account_id, provider, joinable_until)
      where joinable_until is not null`);
    this.addSql(`
      create table revenue.postponed_event (
        account_id uuid not null,
        revenue_event_id uuid not null,
        payment_id uuid not null,
        due_at timestamptz(3) not null,
        constraint postponed_event_pkey primary key (account_id, revenue_event_id)
      )`);
    this.addSql(
      `create index postponed_event_payment_index on revenue.postponed_event (account_id, payment_id)`,
    );
    this.addSql(`create index postponed_event_due_index on revenue.postponed_event (due_at)`);
  }
}
