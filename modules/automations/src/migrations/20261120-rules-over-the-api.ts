import { Migration } from '@mikro-orm/migrations';

/** Adds trigger params, conditions and fire mode to rules, and skip reason and condition results to executions. */
export class AddRuleConditions extends Migration {
  override up(): void {
    this.addSql(`
      alter table automations.rule
        add column trigger_params jsonb not null default '{}',
        add column conditions jsonb not null default '[]',
        add column fire_mode text null,
        add column secret_rotated_at timestamptz(3) null`);
    this.addSql(`update automations.rule set secret_rotated_at = created_at`);
    this.addSql(`
      alter table automations.execution
        add column skip_reason text null,
        add column condition_results jsonb not null default '[]'`);
    this.addSql(`create index execution_rule_index on automations.execution (account_id, rule_id, id)`);
    this.addSql(`create index execution_webinar_index on automations.execution (account_id, webinar_id, id)`);
    this.addSql(
      `create index rule_subscription_index on automations.rule (account_id, subscription_id)
       where subscription_id is not null`,
    );
  }
}
