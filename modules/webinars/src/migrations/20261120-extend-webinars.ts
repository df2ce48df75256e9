import { Migration } from '@mikro-orm/migrations';

/** All columns of a webinar and a session. Existing webinars keep their sessions, which belong to no recurrence. */
export class ExtendWebinars extends Migration {
  override up(): void {
    this.addSql(`
      alter table webinars.webinar
        add column public_title text null,
        add column slug text null,
        add column kind text not null default 'standard',
        add column locale text not null default 'en',
        add column video jsonb null,
        add column schedule jsonb not null default '{"recurrences": [], "justInTime": null, "hoursOfOperation": null,
          "timezoneMode": "fixed", "onDemand": false, "blackoutDates": [], "slotsShown": 3}',
        add column room jsonb not null default '{"lateJoin": "in_progress", "lateCutoffMinutes": null,
          "seekAllowed": false, "chatMode": "public", "lobbyMinutes": 15}',
        add column replay jsonb not null default '{"enabled": false, "availableHours": null}',
        add column registration_form jsonb not null
          default '{"fields": [], "capacityPerSession": null, "consentText": null}',
        add column attendance jsonb not null
          default '{"minSeconds": 0, "completionPercent": 95, "noShowGraceMinutes": 10}',
        add column attribution jsonb not null default '{"windowDays": 30}'`);
    this.addSql(`update webinars.webinar set slug = id::text`);
    this.addSql(`
      alter table webinars.webinar
        alter column slug set not null,
        alter column kind drop default,
        alter column locale drop default,
        alter column schedule drop default,
        alter column room drop default,
        alter column replay drop default,
        alter column registration_form drop default,
        alter column attendance drop default,
        alter column attribution drop default,
        add constraint webinar_slug_unique unique (account_id, slug)`);
    this.addSql(`
      alter table webinars.session
        add column kind text not null default 'scheduled',
        add column control text not null default 'clock',
        add column timezone text null,
        add column recurrence_key text null,
        add column position_seconds integer not null default 0,
        add column actual_started_at timestamptz(3) null,
        add column actual_ended_at timestamptz(3) null,
        drop constraint session_webinar_starts_at_unique`);
    this.addSql(`
      update webinars.session s set timezone = w.timezone
      from webinars.webinar w where w.account_id = s.account_id and w.id = s.webinar_id`);
    this.addSql(`
      alter table webinars.session
        alter column kind drop default,
        alter column control drop default,
        alter column timezone set not null,
        alter column position_seconds drop default,
        add constraint session_webinar_kind_starts_at_unique unique (account_id, webinar_id, kind, starts_at)`);
    this.addSql(`create index session_webinar_index on webinars.session (account_id, webinar_id, id)`);
  }
}
