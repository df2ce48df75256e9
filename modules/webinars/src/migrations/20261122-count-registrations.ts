import { Migration } from '@mikro-orm/migrations';

/** Sessions count their registrations. The migration that moves the registrations to attendees fills the columns. */
export class CountRegistrations extends Migration {
  override up(): void {
    this.addSql(`
      alter table webinars.session
        add column registered_count integer not null default 0,
        add column was_booked boolean not null default false`);
    // Free space on each page for the next version of a row, so that a registration does not touch the indexes.
    this.addSql(`alter table webinars.session set (fillfactor = 70)`);
  }
}
