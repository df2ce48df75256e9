import { Migration } from '@mikro-orm/migrations';

export class Migration202611261001 extends Migration {
  override up(): void {
    this.addSql(`alter table automations.rule add column integrations jsonb not null default '[]'`);
    this.addSql(`alter table automations.execution add column contacts jsonb not null default '[]'`);
  }
}
