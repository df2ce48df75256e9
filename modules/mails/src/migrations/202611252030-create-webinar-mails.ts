import { Migration } from '@mikro-orm/migrations';

export class Migration202611252030 extends Migration {
  override up(): void {
    // Webinars that are older than this migration send no mails until somebody switches them on. The time is in their ids.
    this.addSql(`
      create table mails.introduction (
        first_webinar_id uuid not null,
        constraint introduction_pkey primary key (first_webinar_id)
      );
      insert into mails.introduction
        select (left(hex, 8) || '-' || right(hex, 4) || '-7000-8000-000000000000')::uuid
        from lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') as hex`);
    this.addSql(`
      create table mails.webinar_mails (
        account_id uuid not null,
        webinar_id uuid not null,
        settings jsonb not null,
        updated_at timestamptz(3) not null,
        updated_by text not null,
        constraint webinar_mails_pkey primary key (account_id, webinar_id)
      )`);
    this.#createQueue();
    this.#createSuppressions();
  }

  #createQueue(): void {
    this.addSql(`
      create table mails.mail (
        account_id uuid not null,
        id uuid not null,
        webinar_id uuid not null,
        session_id uuid not null,
        registration_id uuid not null,
        kind text not null,
        minutes integer null,
        purpose text not null,
        to_address text not null,
        data jsonb not null default '{}',
        status text not null default 'queued',
        reason text null,
        sent_at timestamptz(3) null,
        sender text null,
        connection_id uuid null,
        provider text null,
        provider_message_id text null,
        attempts smallint not null default 0,
        note text null,
        constraint mail_pkey primary key (account_id, id),
        constraint mail_kind_check check (kind in ('confirmation', 'changed', 'cancelled', 'missed', 'thank_you', 'reminder', 'rule')),
        constraint mail_purpose_check check (purpose in ('service', 'marketing')),
        constraint mail_status_check check (status in ('queued', 'sent', 'uncertain', 'bounced', 'suppressed', 'too_late', 'failed')),
        constraint mail_sender_check check (sender in ('installation', 'connection'))
      ) partition by range (id);
      create table mails.mail_default partition of mails.mail default;
      create index mail_registration_index on mails.mail (account_id, registration_id, id);
      create index mail_address_index on mails.mail (to_address, id) where status <> 'suppressed'`);
    // One row for each waiting mail. A claimed row has a token, and is due at the end of its lease.
    this.addSql(`
      create table mails.due (
        account_id uuid not null,
        mail_id uuid not null,
        priority smallint not null,
        due_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        attempts smallint not null default 0,
        uncertain_at timestamptz(3) null,
        claim_token uuid null,
        constraint due_pkey primary key (account_id, mail_id)
      ) with (fillfactor = 70);
      create index due_order_index on mails.due (account_id, priority, due_at)`);
    this.addSql(`
      create table mails.lane (
        account_id uuid not null,
        next_at timestamptz(3) not null,
        rest_until timestamptz(3) null,
        suspended boolean not null default false,
        constraint lane_pkey primary key (account_id)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table mails.session_timer (
        account_id uuid not null,
        session_id uuid not null,
        kind text not null,
        webinar_id uuid not null,
        due_at timestamptz(3) not null,
        done_until timestamptz(3) null,
        after_registration_id uuid null,
        data jsonb not null default '{}',
        constraint session_timer_pkey primary key (account_id, session_id, kind),
        constraint session_timer_kind_check check (kind in ('plan', 'changed', 'cancelled'))
      );
      create index session_timer_due_index on mails.session_timer (due_at);
      create index session_timer_webinar_index on mails.session_timer (account_id, webinar_id)`);
  }

  #createSuppressions(): void {
    this.addSql(`
      create table mails.suppression (
        account_id uuid not null,
        address text not null,
        reason text not null,
        added_at timestamptz(3) not null,
        note text null,
        added_by text null,
        constraint suppression_pkey primary key (account_id, address),
        constraint suppression_reason_check check (reason in ('unsubscribed', 'hard_bounce', 'complaint', 'by_hand', 'soft_bounces'))
      )`);
    this.addSql(`
      create table mails.provider_event (
        account_id uuid not null,
        connection_id uuid not null,
        event_id text not null,
        kind text not null,
        address text not null,
        received_at timestamptz(3) not null,
        constraint provider_event_pkey primary key (account_id, connection_id, event_id)
      );
      create index provider_event_address_index on mails.provider_event (account_id, address, received_at);
      create index provider_event_received_index on mails.provider_event using brin (received_at)`);
  }
}
