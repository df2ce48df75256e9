import { Migration } from '@mikro-orm/migrations';

/** An attendance remembers which interactions were viewed, so that a view counts once. */
export class RememberViews extends Migration {
  override up(): void {
    this.addSql(`alter table attendees.attendance add column views jsonb not null default '[]'`);
  }
}
