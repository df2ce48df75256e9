import { Migration } from '@mikro-orm/migrations';

/** Some databases have it from an earlier commit. */
export class Migration202611261004 extends Migration {
  override up(): void {
    this.addSql('alter table attendees.attendance add column if not exists replay_path jsonb null');
    this.addSql('alter table attendees.presenter_message drop column if exists webinar_id');
  }
}
