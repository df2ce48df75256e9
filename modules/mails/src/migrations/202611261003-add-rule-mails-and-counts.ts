import { Migration } from '@mikro-orm/migrations';

/** Mails of rules, counts and tests of mails. Some databases have a part of it from an earlier commit. */
export class Migration202611261003 extends Migration {
  override up(): void {
    this.addSql(`
      alter table mails.mail
        add column if not exists recipient text not null default 'attendee',
        drop constraint if exists mail_recipient_check,
        add constraint mail_recipient_check check (recipient in ('attendee', 'members'));
      create or replace function mails.mailbox_of(address text) returns text language sql immutable strict parallel safe
        return case
          when address ~ '@(gmail|googlemail)\\.com$'
            then replace(split_part(split_part(address, '@', 1), '+', 1), '.', '') || '@gmail.com'
          else regexp_replace(address, '^([^+@]+)\\+[^@]*@', '\\1@')
        end;
      drop index if exists mails.mail_address_index;
      create index if not exists mail_mailbox_index on mails.mail (mails.mailbox_of(to_address), id)
        where status not in ('suppressed', 'failed')`);
    this.addSql(`
      alter table mails.due
        add column if not exists action_id uuid null,
        add column if not exists generation integer null;
      create index if not exists due_expires_index on mails.due (expires_at);
      create index if not exists due_claimed_index on mails.due (account_id, due_at) where claim_token is not null;
      create index if not exists due_action_index on mails.due (account_id, action_id) where action_id is not null`);
    this.addSql(`
      create table if not exists mails.waiting_count (
        account_id uuid not null,
        slot int not null,
        waiting bigint not null,
        constraint waiting_count_pkey primary key (account_id, slot)
      ) with (fillfactor = 50);
      create table if not exists mails.day_count (
        account_id uuid not null,
        day date not null,
        slot int not null,
        sent int not null,
        bounced int not null,
        suppressed int not null,
        too_late int not null,
        failed int not null,
        complained int not null,
        unsubscribed int not null,
        constraint day_count_pkey primary key (account_id, day, slot)
      ) with (fillfactor = 50);
      create table if not exists mails.test_mail (
        account_id uuid not null,
        id uuid not null,
        user_id text not null,
        sender text not null,
        constraint test_mail_pkey primary key (account_id, id),
        constraint test_mail_sender_check check (sender in ('installation', 'connection'))
      )`);
  }
}
