import { Migration } from '@mikro-orm/migrations';

export class Migration202611250446 extends Migration {
  override up(): void {
    this.addSql('create schema attendees');
    this.#createRegistrations();
    this.#createAttendances();
    this.#createEvents();
    this.addSql(`
      create table attendees.click (
        account_id uuid not null,
        interaction_id uuid not null,
        registration_id uuid not null,
        constraint click_pkey primary key (account_id, interaction_id, registration_id)
      )`);
    this.addSql(`
      create table attendees.poll_count (
        account_id uuid not null,
        session_id uuid not null,
        interaction_id uuid not null,
        option_id text not null,
        count integer not null,
        constraint poll_count_pkey primary key (account_id, session_id, interaction_id, option_id)
      ) with (fillfactor = 50)`);
  }

  #createRegistrations(): void {
    this.addSql(`
      create table attendees.registration (
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
        phone text null,
        timezone text null,
        locale text null,
        custom_fields jsonb not null default '{}',
        utm_term text null,
        utm_content text null,
        referrer text null,
        metadata jsonb not null default '{}',
        status text not null default 'registered',
        token_version integer not null default 1,
        cancelled_at timestamptz(3) null,
        purchased boolean not null default false,
        constraint registration_pkey primary key (account_id, id),
        constraint registration_source_check check (source in ('page', 'api', 'bulk', 'mcp', 'dashboard')),
        constraint registration_status_check
          check (status in ('registered', 'attending', 'attended', 'no_show', 'cancelled'))
      );
      create index registration_webinar_index on attendees.registration (account_id, webinar_id, id);
      create index registration_email_index on attendees.registration (account_id, email, id);
      create index registration_session_index on attendees.registration (account_id, session_id, id);
      create index registration_status_index on attendees.registration (account_id, webinar_id, status, id);
      create index registration_purchased_index on attendees.registration (account_id, webinar_id, id)
        where purchased`);
    // A cancelled registration frees its e-mail address for the session.
    this.addSql(`
      create unique index registration_live_unique on attendees.registration (account_id, session_id, email)
      where status <> 'cancelled'`);
    // For the search by name and e-mail address; see `entities/search-terms.ts`. Not in SQL, because Postgres would replace a
    // function in SQL by its text and forget the cost. The cost makes Postgres use the index. Not parallel safe, because the cost
    // would also make it start a parallel worker for each search: 11 ms instead of 1 ms with 100,000 registrations.
    this.addSql(String.raw`
      create function attendees.search_terms(account_id uuid, name text, email text) returns tsvector
      language plpgsql immutable cost 10000 as $$
      declare words text := trim(regexp_replace(name || ' ' || email, '[\s.,;:_+''"()/@-]+', ' ', 'g'));
      begin
        return array_to_tsvector(string_to_array(
          regexp_replace(lower(words || ' ' || email), '(\S+)', right(account_id::text, 12) || '\1', 'g'), ' '));
      end $$`);
    // The list of pending entries is short: a registration that has to empty a long one would wait for it.
    this.addSql(`
      create index registration_search_index on attendees.registration
        using gin (attendees.search_terms(account_id, name, email)) with (gin_pending_list_limit = 256)`);
  }

  #createAttendances(): void {
    // Leaves space on each page for new row versions, so that a heartbeat updates no index (HOT).
    this.addSql(`
      create table attendees.attendance (
        account_id uuid not null,
        registration_id uuid not null,
        webinar_id uuid not null,
        session_id uuid not null,
        visits jsonb not null,
        first_visit_at timestamptz(3) not null,
        first_joined_at timestamptz(3) null,
        join_count integer not null default 0,
        last_seen_at timestamptz(3) null,
        leaving_at timestamptz(3) null,
        left_at timestamptz(3) null,
        check_at timestamptz(3) null,
        position_seconds integer not null default 0,
        watched bytea not null default '\\x',
        watched_seconds integer not null default 0,
        completion_percent integer not null default 0,
        completed_at timestamptz(3) null,
        clicks jsonb not null default '{}',
        answers jsonb not null default '{}',
        path jsonb null,
        views jsonb not null default '[]',
        constraint attendance_pkey primary key (account_id, registration_id)
      ) with (fillfactor = 60);
      create index attendance_check_index on attendees.attendance (check_at) where check_at is not null;
      create index attendance_present_index on attendees.attendance (account_id, session_id)
        where check_at is not null;
      create index attendance_joined_index on attendees.attendance (account_id, webinar_id, registration_id)
        where first_joined_at is not null`);
  }

  #createEvents(): void {
    this.addSql(`
      create table attendees.attendee_event (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        session_id uuid not null,
        registration_id uuid not null,
        type text not null,
        occurred_at timestamptz(3) not null,
        data jsonb not null,
        constraint attendee_event_pkey primary key (account_id, id)
      ) partition by range (id);
      create table attendees.attendee_event_default partition of attendees.attendee_event default`);
    // Partial, so that the most frequent events (registered, joined, marks of watch time) do not update it.
    this.addSql(`
      create index attendee_event_interaction_index
      on attendees.attendee_event (account_id, (data ->> 'interactionId'), type, id)
      where type in ('interaction_view', 'cta_click', 'poll_response')`);
    this.addSql(`
      create index attendee_event_registration_index on attendees.attendee_event (account_id, registration_id, id);
      create index attendee_event_chat_index on attendees.attendee_event (account_id, session_id, id)
        where type = 'chat_response';
      create index attendee_event_download_index
        on attendees.attendee_event (account_id, (data ->> 'interactionId'), id) where type = 'handout_download'`);
  }
}
