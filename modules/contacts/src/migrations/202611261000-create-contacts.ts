import { Migration } from '@mikro-orm/migrations';

export class Migration202611261000 extends Migration {
  override up(): void {
    this.addSql('create schema contacts');
    this.addSql(`
      create table contacts.change (
        account_id uuid not null,
        connection_id uuid not null,
        contact text not null,
        is_taken boolean not null,
        registration_id uuid null,
        in_step boolean not null,
        fields jsonb not null,
        tags jsonb not null,
        lists jsonb not null,
        events jsonb not null,
        causes jsonb not null,
        is_backfill boolean not null,
        run_id uuid null,
        attempts smallint not null,
        first_at timestamptz(3) not null,
        last_at timestamptz(3) not null,
        due_at timestamptz(3) not null,
        parked_at timestamptz(3) null,
        constraint change_pkey primary key (account_id, connection_id, contact, is_taken)
      );
      create index change_due_index on contacts.change (account_id, connection_id, is_backfill, due_at)
        where not is_taken and parked_at is null;
      create index change_parked_index on contacts.change (account_id, connection_id, parked_at) where parked_at is not null;
      create index change_first_index on contacts.change (account_id, connection_id, first_at);
      create index change_taken_index on contacts.change (account_id, connection_id) where is_taken;
      create index change_last_index on contacts.change (last_at);
      create function contacts.last_of(list jsonb, count integer) returns jsonb language sql immutable strict parallel safe
        return case when jsonb_array_length(list) <= count then list else
          (select jsonb_agg(value order by place) from jsonb_array_elements(list) with ordinality as element (value, place)
           where place > jsonb_array_length(list) - count) end`);
    this.addSql(`
      create table contacts.lane (
        account_id uuid not null,
        connection_id uuid not null,
        suspended boolean not null default false,
        lease_token uuid null,
        lease_until timestamptz(3) null,
        rest_until timestamptz(3) null,
        limits jsonb not null default '{}',
        constraint lane_pkey primary key (account_id, connection_id)
      )`);
    this.addSql(`
      create table contacts.send (
        account_id uuid not null,
        id uuid not null,
        connection_id uuid not null,
        contact text not null,
        registration_id uuid null,
        causes jsonb not null,
        calls jsonb not null,
        status smallint null,
        outcome text not null,
        reason text null,
        duration_ms integer not null,
        fields jsonb not null,
        body_hash text null,
        constraint send_pkey primary key (account_id, id),
        constraint send_outcome_check check (outcome in
          ('done', 'left', 'person_refused', 'skipped', 'later', 'not_allowed', 'credential_refused', 'parked', 'expired'))
      ) partition by range (id);
      create table contacts.send_default partition of contacts.send default;
      create index send_connection_index on contacts.send (account_id, connection_id, id);
      create index send_registration_index on contacts.send (account_id, registration_id, id);
      create index send_contact_index on contacts.send (account_id, contact, id);
      create table contacts.send_values (
        account_id uuid not null,
        id uuid not null,
        contact text not null,
        sent jsonb not null,
        constraint send_values_pkey primary key (account_id, id)
      ) partition by range (id);
      create table contacts.send_values_default partition of contacts.send_values default`);
    this.addSql(`
      create table contacts.run (
        account_id uuid not null,
        id uuid not null,
        connection_id uuid not null,
        status text not null,
        total integer not null,
        queued integer not null,
        after_contact text not null,
        started_at timestamptz(3) not null,
        ended_at timestamptz(3) null,
        next_at timestamptz(3) not null,
        constraint run_pkey primary key (account_id, id),
        constraint run_status_check check (status in ('running', 'done', 'cancelled'))
      );
      create index run_connection_index on contacts.run (account_id, connection_id, id);
      create index run_next_index on contacts.run (next_at) where status = 'running';
      create index run_ended_index on contacts.run (ended_at);
      create unique index run_running_unique on contacts.run (account_id, connection_id) where status = 'running'`);
  }
}
