import { Migration } from '@mikro-orm/migrations';

/** Counts by quarter of an hour, filled from the calls that are there, and a way to find a call by its request id. */
export class ExtendApiCall extends Migration {
  override up(): void {
    this.addSql(`set local statement_timeout = 0`);
    // Quarters are updated in place while they last: room on the page keeps that out of the indexes.
    this.addSql(`
      create table activity.api_call_count (
        account_id uuid not null,
        key_id uuid not null,
        starts_at timestamptz(3) not null,
        surface text not null,
        key_label text not null,
        successes integer not null,
        failures integer not null,
        constraint api_call_count_pkey primary key (account_id, key_id, starts_at, surface)
      ) with (fillfactor = 70)`);
    this.addSql(`create index api_call_count_starts_at_index on activity.api_call_count (starts_at)`);
    // The first 48 bits of a UUIDv7 are its time in milliseconds.
    this.addSql(`
      insert into activity.api_call_count (account_id, key_id, starts_at, surface, key_label, successes, failures)
      select account_id, coalesce(key_id, '00000000-0000-0000-0000-000000000000'),
        to_timestamp(quarter * 900), surface, case when key_id is null then '' else max(key_label) end,
        count(*) filter (where status < 400), count(*) filter (where status >= 400)
      from (
        select *, ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 900000 as quarter
        from activity.api_call
      ) as call
      group by grouping sets ((account_id, quarter, surface), (account_id, quarter, surface, key_id))`);
    this.addSql(`create index api_call_request_index on activity.api_call (account_id, request_id, id)`);
  }
}
