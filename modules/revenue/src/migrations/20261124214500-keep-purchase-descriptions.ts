import { Migration } from '@mikro-orm/migrations';

/**
 * Every description of a purchase, with its kind and amount, so that the kind of the object decides and not the order of arrival.
 * Reversals that wait, and one event id for events of several types.
 */
export class Migration20261124214500 extends Migration {
  override up(): void {
    // The inserts read every purchase.
    this.addSql(`set local statement_timeout = 0`);
    this.#createDescriptions();
    this.#copyPurchases();
    this.addSql(`
      alter table revenue.revenue_event drop constraint revenue_event_event_unique,
        add constraint revenue_event_event_unique unique (account_id, event_id, provider, type)`);
    this.addSql(`alter table revenue.payment add column lead_id uuid null`);
    this.addSql(`
      create index payment_lead_index on revenue.payment (account_id, lead_id) where lead_id is not null`);
    this.addSql(`
      alter table revenue.credit add column counted_minor bigint null,
        drop constraint credit_pairing_check,
        add constraint credit_pairing_check check (pairing in ('own', 'transaction', 'inferred', 'unpaired', 'waiting')),
        drop constraint credit_reason_check,
        add constraint credit_reason_check check (reason in
          ('no_email', 'no_match', 'outside_window', 'touch_after_purchase', 'unpaired', 'waiting'))`);
    this.addSql(`create index credit_occurred_index on revenue.credit (account_id, occurred_at, id)`);
    this.addSql(`drop index revenue.revenue_event_occurred_index`);
  }

  #createDescriptions(): void {
    this.addSql(`alter table revenue.repeated_purchase rename to purchase_description`);
    this.addSql(`
      alter table revenue.purchase_description rename constraint repeated_purchase_pkey to purchase_description_pkey`);
    this.addSql(`
      alter index revenue.repeated_purchase_payment_index rename to purchase_description_payment_index`);
    this.addSql(`
      alter table revenue.purchase_description
        add column object_id text not null default '',
        add column kind text not null default 'unknown',
        add column amount_minor bigint null,
        add column currency text null,
        add column own_keys text[] not null default '{}',
        add column joined_keys text[] not null default '{}',
        add column shared_keys text[] not null default '{}',
        add constraint purchase_description_kind_check check (kind in
          ('charge', 'payment_intent', 'invoice_payment', 'invoice', 'checkout_session', 'unknown'))`);
    // The names of earlier descriptions are known for their payment only.
    this.addSql(`
      update revenue.purchase_description d set object_id = d.event_id, own_keys = array(
        select key from revenue.event_key k
        where k.account_id = d.account_id and k.revenue_event_id = d.payment_id and k.kind = 'payment'
          and k.key !~ '^(in|cs)_'),
        joined_keys = array(
        select key from revenue.event_key k
        where k.account_id = d.account_id and k.revenue_event_id = d.payment_id and k.kind = 'payment'
          and k.key ~ '^(in|cs)_')`);
    this.addSql(`
      alter table revenue.purchase_description alter column object_id drop default, alter column kind drop default,
        alter column own_keys drop default, alter column joined_keys drop default,
        alter column shared_keys drop default`);
  }

  /** The first description of each payment was its event only. Stripe's objects begin with their kind. */
  #copyPurchases(): void {
    const isJoined = `e.provider = 'stripe' and key ~ '^(in|cs)_'`;
    this.addSql(`
      insert into revenue.purchase_description (account_id, provider, event_id, payment_id, object_id, kind, amount_minor,
        currency, own_keys, joined_keys, shared_keys, email, click_id, registration_id, occurred_at, received_at)
      select e.account_id, e.provider, e.event_id, c.payment_id, e.object_id,
        case when e.provider <> 'stripe' then 'charge'
          when e.object_id like 'pi\\_%' then 'payment_intent'
          when e.object_id like 'inpay\\_%' then 'invoice_payment'
          when e.object_id like 'in\\_%' then 'invoice'
          when e.object_id like 'cs\\_%' then 'checkout_session'
          else 'charge' end,
        e.amount_minor, e.currency,
        array(select key from unnest(e.payment_keys) key where not (${isJoined})),
        array(select key from unnest(e.payment_keys) key where ${isJoined}), '{}',
        e.email, e.click_id, e.registration_id, e.occurred_at, e.received_at
      from revenue.revenue_event e
      join revenue.credit c on c.account_id = e.account_id and c.id = e.id
      where e.type = 'purchase' and c.payment_id is not null
      on conflict do nothing`);
  }
}
