import { Migration } from '@mikro-orm/migrations';

export class Migration20261124220501 extends Migration {
  override up(): void {
    this.addSql('alter table automations.rule add column carries_revenue boolean not null default false');
    this.addSql(`
      update automations.rule set carries_revenue = true
      where trigger_type in ('purchase', 'refund')
        or trigger_params->>'event' in ('purchase', 'refund') or trigger_params->>'unlessEvent' in ('purchase', 'refund')
        or conditions @> '[{"field": "purchased"}]'`);
  }
}
