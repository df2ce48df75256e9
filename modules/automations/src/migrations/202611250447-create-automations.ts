import { Migration } from '@mikro-orm/migrations';

export class Migration202611250447 extends Migration {
  override up(): void {
    this.addSql('create schema automations');
    this.#createRules();
    this.addSql(`
      create table automations.execution (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        rule_id uuid not null,
        registration_id uuid not null,
        session_id uuid not null,
        event_id uuid not null,
        event_type text not null,
        outcome text not null,
        rule_name text not null,
        delivery_id uuid null,
        skip_reason text null,
        condition_results jsonb not null default '[]',
        constraint execution_pkey primary key (account_id, id),
        constraint execution_outcome_check check (outcome in ('matched', 'skipped')),
        constraint execution_skip_reason_check check (skip_reason in ('condition_not_met', 'already_fired',
          'rule_disabled', 'registered_too_late', 'registration_cancelled', 'session_cancelled', 'session_not_scheduled',
          'webinar_archived', 'webinar_unpublished', 'not_in_audience', 'other_event_came', 'evaluation_budget'))
      ) partition by range (id);
      create table automations.execution_default partition of automations.execution default;
      create index execution_registration_index on automations.execution (account_id, registration_id, id);
      create index execution_rule_index on automations.execution (account_id, rule_id, id);
      create index execution_webinar_index on automations.execution (account_id, webinar_id, id)`);
    this.#createFirings();
  }

  #createRules(): void {
    this.addSql(`
      create table automations.rule (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        subscription_id uuid null,
        name text not null,
        enabled boolean not null,
        trigger_type text not null,
        endpoint_id uuid not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        trigger_params jsonb not null default '{}',
        conditions jsonb not null default '[]',
        fire_mode text null,
        secret_rotated_at timestamptz(3) null,
        carries_revenue boolean not null default false,
        constraint rule_pkey primary key (account_id, id),
        constraint rule_fire_mode_check check (fire_mode in ('once_per_session', 'every_match'))
      );
      create index rule_webinar_trigger_index on automations.rule (account_id, webinar_id, trigger_type);
      create index rule_subscription_index on automations.rule (account_id, subscription_id)
        where subscription_id is not null`);
    this.addSql(`
      create table automations.rule_set (
        account_id uuid not null,
        webinar_id uuid not null,
        version integer not null,
        constraint rule_set_pkey primary key (account_id, webinar_id)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table automations.subscription (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        endpoint_id uuid not null,
        active boolean not null,
        secret_rotated_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        description text null,
        constraint subscription_pkey primary key (account_id, id)
      );
      create index subscription_webinar_index on automations.subscription (account_id, webinar_id, id)`);
  }

  #createFirings(): void {
    // Rows are inserted in the order of time, so a BRIN index is enough to find old ones.
    this.addSql(`
      create table automations.firing (
        account_id uuid not null,
        rule_id uuid not null,
        registration_id uuid not null,
        session_id uuid not null,
        subject text not null,
        fired_at timestamptz(3) not null,
        constraint firing_pkey primary key (account_id, rule_id, registration_id, session_id, subject)
      );
      create index firing_fired_at_index on automations.firing using brin (fired_at)`);
    this.addSql(`
      create table automations.timer (
        account_id uuid not null,
        id uuid not null,
        rule_id uuid not null,
        webinar_id uuid not null,
        session_id uuid not null,
        registration_id uuid null,
        due_at timestamptz(3) not null,
        source_event text null,
        source_at timestamptz(3) null,
        after_registration_id uuid null,
        constraint timer_pkey primary key (account_id, id),
        constraint timer_unique unique nulls not distinct (account_id, rule_id, session_id, registration_id)
      );
      create index timer_due_index on automations.timer (due_at);
      create index timer_session_index on automations.timer (account_id, session_id)`);
  }
}
