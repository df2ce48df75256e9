import { Migration } from '@mikro-orm/migrations';

/** Adds the keys that make rules fire once, the versions of rule sets, and timers. */
export class FireOnce extends Migration {
  override up(): void {
    this.addSql(`
      create table automations.rule_set (
        account_id uuid not null,
        webinar_id uuid not null,
        version integer not null,
        constraint rule_set_pkey primary key (account_id, webinar_id)
      ) with (fillfactor = 50)`);
    this.addSql(`
      insert into automations.rule_set (account_id, webinar_id, version)
      select distinct account_id, webinar_id, 1 from automations.rule`);
    this.addSql(`
      create table automations.firing (
        account_id uuid not null,
        rule_id uuid not null,
        registration_id uuid not null,
        session_id uuid not null,
        subject text not null,
        fired_at timestamptz(3) not null,
        constraint firing_pkey primary key (account_id, rule_id, registration_id, session_id, subject)
      )`);
    // Rows are inserted in the order of time, so a BRIN index is enough to find old ones.
    this.addSql(`create index firing_fired_at_index on automations.firing using brin (fired_at)`);
    this.addSql(`
      create table automations.timer (
        account_id uuid not null,
        id uuid not null,
        rule_id uuid not null,
        webinar_id uuid not null,
        session_id uuid not null,
        registration_id uuid null,
        due_at timestamptz(3) not null,
        source_event text null,
        source_at timestamptz(3) null,
        after_registration_id uuid null,
        constraint timer_pkey primary key (account_id, id)
      )`);
    this.addSql(`
      alter table automations.timer add constraint timer_unique
        unique nulls not distinct (account_id, rule_id, session_id, registration_id)`);
    this.addSql(`create index timer_due_index on automations.timer (due_at)`);
    this.addSql(`create index timer_session_index on automations.timer (account_id, session_id)`);
  }
}
