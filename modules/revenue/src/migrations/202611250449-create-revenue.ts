import { Migration } from '@mikro-orm/migrations';

export class Migration202611250449 extends Migration {
  override up(): void {
    this.addSql('create schema revenue');
    this.#createEvents();
    this.#createPayments();
    this.#createCredits();
    this.#createDescriptions();
    this.#createTotals();
    this.#createRuns();
    this.#createSources();
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
        is_difference boolean not null default false,
        constraint revenue_event_pkey primary key (account_id, id),
        constraint revenue_event_event_unique unique (account_id, event_id, provider, type),
        constraint revenue_event_object_unique unique (account_id, object_id, provider, type),
        constraint revenue_event_type_check check (type in
          ('purchase', 'refund', 'chargeback', 'refund_reversal', 'chargeback_reversal', 'purchase_reversal')),
        constraint revenue_event_amount_check check (amount_minor >= -999999999999 and amount_minor <= 999999999999
          and case when type in ('refund', 'chargeback', 'purchase_reversal') then amount_minor <= 0 else amount_minor >= 0 end),
        constraint revenue_event_currency_check check (currency ~ '^[A-Z]{3}$')
      );
      create index revenue_event_email_index on revenue.revenue_event (account_id, email, id) where email is not null;
      create index revenue_event_inference_index on revenue.revenue_event (account_id, email, id)
        where email is not null and type in ('refund', 'chargeback');
      create index revenue_event_reversal_index on revenue.revenue_event (account_id, reverses_object_id, id)
        where reverses_object_id is not null;
      create index revenue_event_type_index on revenue.revenue_event (account_id, type, occurred_at, id)
        where type <> 'purchase';
      create index revenue_event_source_index on revenue.revenue_event (account_id, provider, occurred_at, id)`);
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
        lead_id uuid null,
        joinable_until timestamptz(3) null,
        constraint payment_pkey primary key (account_id, id),
        constraint payment_state_check check (state in ('paid', 'partially_refunded', 'refunded', 'charged_back'))
      );
      create index payment_email_index on revenue.payment (account_id, email, currency, provider, occurred_at)
        where email is not null;
      create index payment_state_index on revenue.payment (account_id, state, occurred_at, id);
      create index payment_occurred_index on revenue.payment (account_id, occurred_at, id);
      create index payment_lead_index on revenue.payment (account_id, lead_id) where lead_id is not null;
      create index payment_joinable_index on revenue.payment (account_id, provider, joinable_until)
        where joinable_until is not null`);
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
        buyer_email text null,
        counted_minor bigint null,
        renewal_of uuid null,
        constraint credit_pkey primary key (account_id, id),
        constraint credit_pairing_check check (pairing in ('own', 'transaction', 'inferred', 'unpaired', 'waiting')),
        constraint credit_level_check check (level in ('offer_click', 'attended', 'registered', 'unattributed')),
        constraint credit_matched_by_check check (matched_by in ('click_id', 'registration_id', 'email')),
        constraint credit_reason_check check (reason in
          ('no_email', 'no_match', 'outside_window', 'touch_after_purchase', 'cancelled', 'unpaired', 'waiting'))
      );
      create index credit_payment_index on revenue.credit (account_id, payment_id) where payment_id is not null;
      create index credit_registration_index on revenue.credit (account_id, registration_id, occurred_at, id)
        where registration_id is not null;
      create index credit_buyer_email_index on revenue.credit (account_id, buyer_email, occurred_at, id)
        where buyer_email is not null;
      create index credit_renewal_index on revenue.credit (account_id, renewal_of, id) where renewal_of is not null;
      create index credit_occurred_index on revenue.credit (account_id, occurred_at, id);
      create index credit_attributed_index on revenue.credit (account_id, occurred_at, id)
        where level <> 'unattributed';
      create index credit_unattributed_index on revenue.credit (account_id, occurred_at, id)
        where level = 'unattributed'`);
    // A list of refunds and chargebacks has an index of its own. It has only these, so a purchase costs nothing more.
    for (const record of ['webinar', 'interaction'])
      this.addSql(`
        create index credit_${record}_index on revenue.credit (account_id, ${record}_id, occurred_at, id)
          where ${record}_id is not null;
        create index credit_${record}_adjustment_index on revenue.credit (account_id, ${record}_id, occurred_at, id)
          where ${record}_id is not null and pairing <> 'own'`);
  }

  #createDescriptions(): void {
    this.addSql(`
      create table revenue.event_key (
        account_id uuid not null,
        key text not null,
        provider text not null,
        revenue_event_id uuid not null,
        kind text not null,
        constraint event_key_pkey primary key (account_id, key, provider, revenue_event_id),
        constraint event_key_kind_check check (kind in ('payment', 'shared', 'adjustment'))
      );
      create index event_key_event_index on revenue.event_key (account_id, revenue_event_id)`);
    // Every description of a purchase, with its kind and amount, so that the kind of the object decides and not the order of
    // arrival.
    this.addSql(`
      create table revenue.purchase_description (
        account_id uuid not null,
        provider text not null,
        event_id text not null,
        payment_id uuid not null,
        email text null,
        click_id text null,
        registration_id text null,
        occurred_at timestamptz(3) not null,
        received_at timestamptz(3) not null,
        object_id text not null,
        kind text not null,
        amount_minor bigint null,
        currency text null,
        own_keys text[] not null,
        joined_keys text[] not null,
        shared_keys text[] not null,
        may_be_joined boolean not null default false,
        constraint purchase_description_pkey primary key (account_id, provider, event_id),
        constraint purchase_description_kind_check check (kind in
          ('charge', 'payment_intent', 'invoice_payment', 'invoice', 'checkout_session', 'unknown'))
      );
      create index purchase_description_payment_index on revenue.purchase_description (account_id, payment_id)`);
  }

  #createTotals(): void {
    const sums = `
        gross_minor numeric(30,0) not null,
        refunds_minor numeric(30,0) not null,
        chargebacks_minor numeric(30,0) not null,
        purchases bigint not null,
        refunds bigint not null,
        chargebacks bigint not null,
        renewals_minor numeric(30,0) not null default 0,
        renewals bigint not null default 0,`;
    this.addSql(`
      create table revenue.total (
        account_id uuid not null,
        webinar_id uuid not null,
        dimension text not null,
        day date not null,
        currency text not null,
        key text not null,${sums}
        constraint total_pkey primary key (account_id, webinar_id, dimension, day, currency, key),
        constraint total_dimension_check check (dimension in ('level', 'webinar', 'offer', 'utm_source', 'source'))
      ) with (fillfactor = 50)`);
    // Sums for each quarter of an hour, from which the days of every time zone are made.
    this.addSql(`
      create table revenue.quarter_total (
        account_id uuid not null,
        webinar_id uuid not null,
        quarter timestamptz(0) not null,
        currency text not null,${sums}
        constraint quarter_total_pkey primary key (account_id, webinar_id, quarter, currency)
      ) with (fillfactor = 50)`);
  }

  /** The attribution window of a workspace, runs that derive credits again, purchases whose attribution is tried again, waiting events. */
  #createRuns(): void {
    this.addSql(`
      create table revenue.setting (
        account_id uuid not null,
        window_days integer not null,
        changed_at timestamptz(3) not null,
        constraint setting_pkey primary key (account_id),
        constraint setting_window_days_check check (window_days in (1, 7, 14, 30, 60, 90))
      )`);
    this.addSql(`
      create table revenue.credit_run (
        account_id uuid not null,
        id uuid not null,
        state text not null,
        total integer not null,
        checked integer not null default 0,
        moved integer not null default 0,
        cursor uuid not null,
        until uuid not null,
        started_at timestamptz(3) not null,
        finished_at timestamptz(3) null,
        constraint credit_run_pkey primary key (account_id),
        constraint credit_run_state_check check (state in ('running', 'done'))
      );
      create index credit_run_running_index on revenue.credit_run (started_at) where state = 'running'`);
    this.addSql(`
      create table revenue.credit_retry (
        account_id uuid not null,
        payment_id uuid not null,
        next_at timestamptz(3) not null,
        tries integer not null default 0,
        until timestamptz(3) not null,
        constraint credit_retry_pkey primary key (account_id, payment_id)
      );
      create index credit_retry_due_index on revenue.credit_retry (account_id, next_at)`);
    // Events of payments that an invoice may still join wait before they are published.
    this.addSql(`
      create table revenue.postponed_event (
        account_id uuid not null,
        revenue_event_id uuid not null,
        payment_id uuid not null,
        due_at timestamptz(3) not null,
        constraint postponed_event_pkey primary key (account_id, revenue_event_id)
      );
      create index postponed_event_payment_index on revenue.postponed_event (account_id, payment_id);
      create index postponed_event_due_index on revenue.postponed_event (due_at)`);
  }

  /** Sources of revenue events, and refused events. The column of the provider has no check: adding one needs no migration. */
  #createSources(): void {
    this.addSql(`
      create table revenue.source (
        account_id uuid not null,
        provider text not null,
        secret_id uuid not null,
        sealed_secret text not null,
        secret_last4 text not null,
        previous_secret_id uuid null,
        previous_sealed_secret text null,
        previous_secret_until timestamptz(3) null,
        created_at timestamptz(3) not null,
        last_received_at timestamptz(3) null,
        last_refused_at timestamptz(3) null,
        last_refused_reason text null,
        last_conflict_at timestamptz(3) null,
        last_conflict_event_id text null,
        constraint source_pkey primary key (account_id, provider)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table revenue.source_day (
        account_id uuid not null,
        provider text not null,
        day date not null,
        accepted int not null,
        duplicates int not null,
        ignored int not null,
        refused int not null,
        constraint source_day_pkey primary key (account_id, provider, day)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table revenue.suspended_account (
        account_id uuid not null,
        constraint suspended_account_pkey primary key (account_id)
      )`);
    this.addSql(`
      create table revenue.refused_event (
        account_id uuid not null,
        id uuid not null,
        provider text not null,
        reason text not null,
        issues jsonb not null,
        sealed_body bytea not null,
        size int not null,
        received_at timestamptz(3) not null,
        constraint refused_event_pkey primary key (account_id, id)
      );
      create index refused_event_received_index on revenue.refused_event (received_at)`);
  }
}
