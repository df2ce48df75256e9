import { Migration } from '@mikro-orm/migrations';

export class Migration202611250445 extends Migration {
  override up(): void {
    this.addSql('create schema webinars');
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
        public_title text null,
        slug text not null,
        kind text not null,
        locale text not null,
        video jsonb null,
        schedule jsonb not null,
        room jsonb not null,
        replay jsonb not null,
        registration_form jsonb not null,
        attendance jsonb not null,
        attribution jsonb not null,
        constraint webinar_pkey primary key (account_id, id),
        constraint webinar_slug_unique unique (account_id, slug),
        constraint webinar_kind_check check (kind in ('standard', 'adaptive')),
        constraint webinar_status_check check (status in ('draft', 'published', 'archived', 'deleted'))
      );
      create index webinar_title_index on webinars.webinar (account_id, lower(title), id)`);
    this.#createSessions();
    this.addSql(`
      create table webinars.interaction (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        segment_id uuid null,
        type text not null,
        internal_name text not null,
        headline text not null,
        body text null,
        show_at_seconds integer not null,
        hide_at_seconds integer null,
        enabled boolean not null,
        available_in_replay boolean not null,
        display text not null,
        dismissible boolean not null,
        show_when jsonb not null,
        details jsonb not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint interaction_pkey primary key (account_id, id),
        constraint interaction_type_check check (type in ('offer', 'cta', 'poll', 'handout')),
        constraint interaction_display_check check (display in ('popup', 'panel', 'banner'))
      );
      create index interaction_webinar_index on webinars.interaction (account_id, webinar_id, id)`);
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
        constraint branch_pkey primary key (account_id, id),
        constraint branch_via_check check (via in ('choice', 'condition', 'default'))
      );
      create index branch_webinar_index on webinars.branch (account_id, webinar_id, id)`);
  }

  #createSessions(): void {
    // Free space on each page for the next version of a row, so that a registration does not touch the indexes.
    this.addSql(`
      create table webinars.session (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        status text not null,
        starts_at timestamptz(3) not null,
        ends_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        kind text not null,
        control text not null,
        timezone text not null,
        recurrence_key text null,
        position_seconds integer not null,
        actual_started_at timestamptz(3) null,
        actual_ended_at timestamptz(3) null,
        current_segment_id uuid null,
        closing_at timestamptz(3) null,
        no_show_at timestamptz(3) null,
        registered_count integer not null default 0,
        was_booked boolean not null default false,
        constraint session_pkey primary key (account_id, id),
        constraint session_webinar_kind_starts_at_unique unique (account_id, webinar_id, kind, starts_at),
        constraint session_kind_check check (kind in ('scheduled', 'just_in_time', 'on_demand')),
        constraint session_control_check check (control in ('clock', 'api')),
        constraint session_status_check check (status in ('scheduled', 'live', 'ended', 'cancelled'))
      ) with (fillfactor = 70);
      create index session_webinar_index on webinars.session (account_id, webinar_id, id);
      create index session_start_index on webinars.session (starts_at)
        where control = 'clock' and status = 'scheduled';
      create index session_end_index on webinars.session (ends_at) where control = 'clock' and status = 'live';
      create index session_closing_index on webinars.session (closing_at) where closing_at is not null;
      create index session_no_show_index on webinars.session (no_show_at) where no_show_at is not null`);
  }
}
