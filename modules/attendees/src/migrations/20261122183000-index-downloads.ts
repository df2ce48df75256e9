import { Migration } from '@mikro-orm/migrations';

/** Adds an index for reading the downloads of a handout. */
export class Migration20261122183000 extends Migration {
  override up(): void {
    // An index of its own, because no event is in it yet: building it only reads the table. Building the index of clicks again
    // with one more type would take longer than the statement timeout in a large database.
    this.addSql(`
      create index attendee_event_download_index
      on attendees.attendee_event (account_id, (data ->> 'interactionId'), id) where type = 'handout_download'`);
  }
}
