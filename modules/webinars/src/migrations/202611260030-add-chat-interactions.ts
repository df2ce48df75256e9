import { Migration } from '@mikro-orm/migrations';

export class Migration202611260030 extends Migration {
  override up(): void {
    this.addSql(`
      alter table webinars.interaction drop constraint interaction_type_check,
        add constraint interaction_type_check check (type in ('offer', 'cta', 'poll', 'handout', 'chat'))`);
  }
}
