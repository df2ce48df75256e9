import { Migration } from '@mikro-orm/migrations';

/** Attendance, the times of the session clock, and the segments of adaptive webinars. */
export class CreateAttendance extends Migration {
  override up(): void {
    // Leaves space on each page for new row versions, so that a heartbeat updates no index (HOT).
    this.addSql(`
      create table webinars.attendance (
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
        constraint attendance_pkey primary key (account_id, registration_id)
      ) with (fillfactor = 60)`);
    this.addSql(
      `create index attendance_check_index on webinars.attendance (check_at) where check_at is not null`,
    );
    this.addSql(`
      create index attendance_present_index on webinars.attendance (account_id, session_id)
      where check_at is not null`);
    this.addSql(`
      create table webinars.poll_count (
        account_id uuid not null,
        session_id uuid not null,
        interaction_id uuid not null,
        option_id text not null,
        count integer not null,
        constraint poll_count_pkey primary key (account_id, session_id, interaction_id, option_id)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create index attendee_event_chat_index
      on webinars.attendee_event (account_id, session_id, id) where type = 'chat_response'`);
    this.addSql(`
      alter table webinars.session
        add column current_segment_id uuid null,
        add column closing_at timestamptz(3) null,
        add column no_show_at timestamptz(3) null`);
    // Sessions that ended before this version publish no events any more.
    this.addSql(`
      update webinars.session set status = 'ended', actual_started_at = starts_at, actual_ended_at = ends_at
      where control = 'clock' and status in ('scheduled', 'live') and ends_at < now()`);
    this.addSql(`
      create index session_start_index on webinars.session (starts_at)
      where control = 'clock' and status = 'scheduled'`);
    this.addSql(`
      create index session_end_index on webinars.session (ends_at)
      where control = 'clock' and status = 'live'`);
    this.addSql(
      `create index session_closing_index on webinars.session (closing_at) where closing_at is not null`,
    );
    this.addSql(
      `create index session_no_show_index on webinars.session (no_show_at) where no_show_at is not null`,
    );
    this.addSql(`
      create table webinars.segment (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        key text not null,
        title text not null,
        video_url text null,
        duration_seconds integer not null,
        is_entry boolean not null,
        is_terminal boolean not null,
        canvas jsonb not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint segment_pkey primary key (account_id, id),
        constraint segment_key_unique unique (account_id, webinar_id, key)
      )`);
    this.addSql(`
      create table webinars.branch (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        from_segment_id uuid not null,
        to_segment_id uuid not null,
        label text not null,
        priority integer not null,
        via text not null,
        conditions jsonb not null default '[]',
        prompt_text text null,
        prompt_at_seconds integer null,
        choice_timeout_seconds integer not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint branch_pkey primary key (account_id, id)
      )`);
    this.addSql(`create index branch_webinar_index on webinars.branch (account_id, webinar_id, id)`);
    // Removes references to segments from before segments existed. From here on an interaction names an existing segment, and a
    // published adaptive webinar has segments.
    this.addSql(`update webinars.interaction set segment_id = null where segment_id is not null`);
    this.addSql(
      `update webinars.webinar set kind = 'standard' where kind = 'adaptive' and status = 'published'`,
    );
  }
}
