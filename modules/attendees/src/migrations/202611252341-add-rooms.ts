import { Migration } from '@mikro-orm/migrations';

export class Migration202611252341 extends Migration {
  override up(): void {
    this.addSql('alter table attendees.attendance add column replay_watched_at timestamptz(3) null');
    this.addSql(`
      alter table attendees.registration drop constraint registration_status_check,
        add constraint registration_status_check
          check (status in ('registered', 'attending', 'attended', 'no_show', 'cancelled', 'test'))`);
    this.addSql(`
      create index registration_test_index on attendees.registration (registered_at) where status = 'test'`);
    this.addSql(`
      create table attendees.hidden_message (
        account_id uuid not null,
        session_id uuid not null,
        message_id uuid not null,
        hidden_at timestamptz(3) not null,
        constraint hidden_message_pkey primary key (account_id, session_id, message_id)
      )`);
    this.addSql(`
      create table attendees.presenter_message (
        account_id uuid not null,
        session_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        name text not null,
        text text not null,
        reply_to jsonb null,
        sent_at timestamptz(3) not null,
        constraint presenter_message_pkey primary key (account_id, session_id, id)
      )`);
  }
}
