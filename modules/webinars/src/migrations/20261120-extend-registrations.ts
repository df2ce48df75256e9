import { Migration } from '@mikro-orm/migrations';

/** All columns of a registration. A cancelled registration frees its e-mail address for the session. */
export class ExtendRegistrations extends Migration {
  override up(): void {
    this.addSql(`
      alter table webinars.registration
        add column phone text null,
        add column timezone text null,
        add column locale text null,
        add column custom_fields jsonb not null default '{}',
        add column utm_term text null,
        add column utm_content text null,
        add column referrer text null,
        add column metadata jsonb not null default '{}',
        add column status text not null default 'registered',
        add column token_version integer not null default 1,
        add column cancelled_at timestamptz(3) null,
        drop constraint registration_session_email_unique`);
    this.addSql(`
      create unique index registration_live_unique on webinars.registration (account_id, session_id, email)
      where status <> 'cancelled'`);
    this.addSql(`create index registration_email_index on webinars.registration (account_id, email, id)`);
    this.addSql(
      `create index registration_session_index on webinars.registration (account_id, session_id, id)`,
    );
    this.addSql(
      `create index registration_status_index on webinars.registration (account_id, webinar_id, status, id)`,
    );
    this.addSql(
      `create index attendee_event_registration_index
       on webinars.attendee_event (account_id, registration_id, id)`,
    );
  }
}
