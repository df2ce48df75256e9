import { Migration } from '@mikro-orm/migrations';

const tables = ['registration', 'attendance', 'poll_count', 'attendee_event'];

/** Moves registrations, attendance and events from webinars to a schema of their own, and counts registrations in their sessions. */
export class CreateAttendees extends Migration {
  override async up(): Promise<void> {
    await this.execute('create schema attendees');
    for (const table of [...tables, ...(await this.findPartitions())])
      await this.execute(`alter table webinars.${table} set schema attendees`);
    // After the move, since it has locked the registrations.
    await this.execute(`
      update webinars.session s set registered_count = r.registered, was_booked = true
      from (
        select account_id, session_id, count(*) filter (where status <> 'cancelled') as registered
        from attendees.registration group by account_id, session_id
      ) r
      where s.account_id = r.account_id and s.id = r.session_id`);
  }

  /** Moving a partitioned table leaves its partitions where they are. */
  private async findPartitions(): Promise<string[]> {
    const rows = (await this.execute(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'webinars.attendee_event'::regclass order by 1`,
    )) as { name: string }[];
    return rows.map(({ name }) => name);
  }
}
