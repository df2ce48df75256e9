import { Migration } from '@mikro-orm/migrations';

const pairings = `'own', 'transaction', 'inferred', 'unpaired'`;
const levels = `'offer_click', 'attended', 'registered', 'unattributed'`;
const reasons = `'no_email', 'no_match', 'outside_window', 'touch_after_purchase', 'unpaired'`;

/** The ledger: events, payments, credits and totals. */
export class Migration20261122235000 extends Migration {
  override up(): void {
    this.addSql(`create schema revenue`);
    this.#createEvents();
    this.#createPayments();
    this.#createCredits();
    this.#createKeys();
    this.addSql(`
      create table revenue.total (
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
        constraint total_pkey primary key (account_id, webinar_id, dimension, day, currency, key),
        constraint total_dimension_check check (dimension in ('level', 'webinar', 'offer', 'utm_source', 'source'))
      ) with (fillfactor = 50)`);
  }

  #createEvents(): void {
    this.addSql(`
      create table revenue.revenue_event (
        account_id uuid not null,
        id uuid not null,
        provider text not null,
        event_id text not null,
        object_id text not null,
        type text not null,
        email text null,
        amount_minor bigint not null,
        currency text not null,
        occurred_at timestamptz(3) not null,
        received_at timestamptz(3) not null,
        payment_keys text[] not null,
        reverses_object_id text null,
        click_id text null,
        registration_id text null,
        constraint revenue_event_pkey primary key (account_id, id),
        constraint revenue_event_event_unique unique (account_id, event_id, provider),
        constraint revenue_event_object_unique unique (account_id, object_id, provider, type),
        constraint revenue_event_type_check check (type in ('purchase', 'refund', 'chargeback', 'refund_reversal',
          'chargeback_reversal', 'purchase_reversal')),
        constraint revenue_event_amount_check check (amount_minor >= -999999999999 and amount_minor <= 999999999999
          and case when type in ('refund', 'chargeback', 'purchase_reversal') then amount_minor <= 0 else amount_minor >= 0 end),
        constraint revenue_event_currency_check check (currency ~ '^[A-Z]{3}$')
      )`);
    this.addSql(
      `create index revenue_event_occurred_index on revenue.revenue_event (account_id, occurred_at, id)`,
    );
    this.addSql(`
      create index revenue_event_email_index on revenue.revenue_event (account_id, email, id) where email is not null`);
    this.addSql(`
      create index revenue_event_inference_index on revenue.revenue_event (account_id, email, id)
      where email is not null and type in ('refund', 'chargeback')`);
    this.addSql(`
      create index revenue_event_reversal_index on revenue.revenue_event (account_id, reverses_object_id, id)
      where reverses_object_id is not null`);
  }

  #createPayments(): void {
    this.addSql(`
      create table revenue.payment (
        account_id uuid not null,
        id uuid not null,
        provider text not null,
        email text null,
        currency text not null,
        amount_minor bigint not null,
        refunded_minor bigint not null,
        charged_back_minor bigint not null,
        state text not null,
        over_refunded boolean not null,
        occurred_at timestamptz(3) not null,
        first_key text not null,
        click_id text null,
        registration_id text null,
        constraint payment_pkey primary key (account_id, id),
        constraint payment_state_check check (state in ('paid', 'partially_refunded', 'refunded', 'charged_back'))
      )`);
    this.addSql(`
      create index payment_email_index on revenue.payment (account_id, email, currency, provider, occurred_at)
      where email is not null`);
    this.addSql(`create index payment_state_index on revenue.payment (account_id, state, occurred_at, id)`);
    this.addSql(`create index payment_occurred_index on revenue.payment (account_id, occurred_at, id)`);
    this.addSql(`
      create table revenue.repeated_purchase (
        account_id uuid not null,
        provider text not null,
        event_id text not null,
        payment_id uuid not null,
        email text null,
        click_id text null,
        registration_id text null,
        occurred_at timestamptz(3) not null,
        received_at timestamptz(3) not null,
        constraint repeated_purchase_pkey primary key (account_id, provider, event_id)
      )`);
    this.addSql(
      `create index repeated_purchase_payment_index on revenue.repeated_purchase (account_id, payment_id)`,
    );
  }

  #createCredits(): void {
    this.addSql(`
      create table revenue.credit (
        account_id uuid not null,
        id uuid not null,
        payment_id uuid null,
        pairing text not null,
        webinar_id uuid null,
        session_id uuid null,
        registration_id uuid null,
        interaction_id uuid null,
        utm_source text null,
        level text not null,
        matched_by text null,
        reason text null,
        touch_at timestamptz(3) null,
        window_days integer null,
        considered jsonb null,
        credited_at timestamptz(3) null,
        occurred_at timestamptz(3) not null,
        constraint credit_pkey primary key (account_id, id),
        constraint credit_pairing_check check (pairing in (${pairings})),
        constraint credit_level_check check (level in (${levels})),
        constraint credit_matched_by_check check (matched_by in ('click_id', 'registration_id', 'email')),
        constraint credit_reason_check check (reason in (${reasons}))
      )`);
    this.addSql(`
      create index credit_payment_index on revenue.credit (account_id, payment_id) where payment_id is not null`);
    for (const record of ['webinar', 'interaction', 'registration'])
      this.addSql(`
        create index credit_${record}_index on revenue.credit (account_id, ${record}_id, occurred_at, id)
        where ${record}_id is not null`);
    this.addSql(`
      create index credit_unattributed_index on revenue.credit (account_id, occurred_at, id)
      where level = 'unattributed'`);
  }

  #createKeys(): void {
    this.addSql(`
      create table revenue.event_key (
        account_id uuid not null,
        key text not null,
        provider text not null,
        revenue_event_id uuid not null,
        kind text not null,
        constraint event_key_pkey primary key (account_id, key, provider, revenue_event_id),
        constraint event_key_kind_check check (kind in ('payment', 'shared', 'adjustment'))
      )`);
    this.addSql(`create index event_key_event_index on revenue.event_key (account_id, revenue_event_id)`);
  }
}
