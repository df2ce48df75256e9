import { Migration } from '@mikro-orm/migrations';

export class CreateWebinars extends Migration {
  override up(): void {
    this.addSql(`create schema webinars`);
    this.addSql(`
      create table webinars.webinar (
        account_id uuid not null,
        id uuid not null,
        title text not null,
        description text null,
        timezone text not null,
        duration_seconds integer not null,
        status text not null,
        published_at timestamptz(3) null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint webinar_pkey primary key (account_id, id)
      )`);
    this.addSql(`
      create table webinars.session (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        status text not null,
        starts_at timestamptz(3) not null,
        ends_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        constraint session_pkey primary key (account_id, id),
        constraint session_webinar_starts_at_unique unique (account_id, webinar_id, starts_at)
      )`);
    this.addSql(`
      create table webinars.registration (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        session_id uuid not null,
        name text not null,
        email text not null,
        utm_source text null,
        utm_medium text null,
        utm_campaign text null,
        source text not null,
        registered_at timestamptz(3) not null,
        constraint registration_pkey primary key (account_id, id),
        constraint registration_session_email_unique unique (account_id, session_id, email)
      )`);
    this.addSql(
      `create index registration_webinar_index on webinars.registration (account_id, webinar_id, id)`,
    );
    this.addSql(`
      create table webinars.attendee_event (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        session_id uuid not null,
        registration_id uuid not null,
        type text not null,
        occurred_at timestamptz(3) not null,
        data jsonb not null,
        constraint attendee_event_pkey primary key (account_id, id)
      ) partition by range (id)`);
    this.addSql(`create table webinars.attendee_event_default partition of webinars.attendee_event default`);
  }
}
