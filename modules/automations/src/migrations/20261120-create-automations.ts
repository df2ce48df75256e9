import { Migration } from '@mikro-orm/migrations';

export class CreateAutomations extends Migration {
  override up(): void {
    this.addSql(`create schema automations`);
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
        constraint rule_pkey primary key (account_id, id)
      )`);
    this.addSql(
      `create index rule_webinar_trigger_index on automations.rule (account_id, webinar_id, trigger_type)`,
    );
    this.addSql(`
      create table automations.subscription (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        endpoint_id uuid not null,
        active boolean not null,
        secret_rotated_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        constraint subscription_pkey primary key (account_id, id)
      )`);
    this.addSql(
      `create index subscription_webinar_index on automations.subscription (account_id, webinar_id, id)`,
    );
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
        constraint execution_pkey primary key (account_id, id)
      ) partition by range (id)`);
    this.addSql(
      `create index execution_registration_index on automations.execution (account_id, registration_id, id)`,
    );
    this.addSql(`create table automations.execution_default partition of automations.execution default`);
  }
}
