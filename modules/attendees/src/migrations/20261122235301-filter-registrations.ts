import { Migration } from '@mikro-orm/migrations';

/** Tables and indexes for the filters of registrations by clicks and purchases, and for the numbers of registrants and attendees. */
export class Migration20261122235301 extends Migration {
  override up(): void {
    this.addSql(`alter table attendees.registration add column purchased boolean not null default false`);
    this.addSql(`
      create index registration_purchased_index on attendees.registration (account_id, webinar_id, id) where purchased`);
    this.addSql(`
      create index attendance_joined_index on attendees.attendance (account_id, webinar_id, registration_id)
      where first_joined_at is not null`);
    this.addSql(`
      create table attendees.click (
        account_id uuid not null,
        interaction_id uuid not null,
        registration_id uuid not null,
        constraint click_pkey primary key (account_id, interaction_id, registration_id)
      )`);
    this.addSql(`
      insert into attendees.click
      select account_id, interaction_id::uuid, registration_id
      from attendees.attendance cross join lateral jsonb_object_keys(clicks) as interaction_id
      where clicks <> '{}'`);
  }
}
