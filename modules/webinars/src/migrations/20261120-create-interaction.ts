import { Migration } from '@mikro-orm/migrations';

/** Interactions, and the index for reading their events. */
export class CreateInteraction extends Migration {
  override up(): void {
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
        constraint interaction_pkey primary key (account_id, id)
      )`);
    this.addSql(
      `create index interaction_webinar_index on webinars.interaction (account_id, webinar_id, id)`,
    );
    this.addSql(attendeeEventInteractionIndex);
  }
}

// Partial, so that the most frequent events (registered, joined, marks of watch time) do not update it.
const attendeeEventInteractionIndex = `
  create index attendee_event_interaction_index
  on webinars.attendee_event (account_id, (data ->> 'interactionId'), type, id)
  where type in ('interaction_view', 'cta_click', 'poll_response')`;
