import { Migration } from '@mikro-orm/migrations';

export class Migration202611252342 extends Migration {
  override up(): void {
    this.addSql(`
      alter table automations.rule
        alter column endpoint_id drop not null,
        add column emails jsonb not null default '[]',
        add column email_texts jsonb not null default '{}',
        add column generation integer not null default 0`);
    this.addSql(`alter table automations.execution add column mails jsonb not null default '[]'`);
  }
}
