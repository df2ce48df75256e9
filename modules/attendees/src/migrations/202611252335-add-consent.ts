import { Migration } from '@mikro-orm/migrations';

export class Migration202611252335 extends Migration {
  override up(): void {
    this.addSql('alter table attendees.registration add column consent jsonb null');
  }
}
