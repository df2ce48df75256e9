import { Migration } from '@mikro-orm/migrations';

/** Parked deliveries keep their own time, so that a run that sends everything that waits can be stopped. */
export class Migration20261122235501 extends Migration {
  override up(): void {
    this.addSql(`alter table deliveries.due add column own_due_at timestamptz(6) null`);
    this.addSql(`alter table deliveries.flush add column is_stopping boolean not null default false`);
  }
}
