import { Migration } from '@mikro-orm/migrations';

/** The bytes of a delivery, its body and its attempt, for deliveries that were made before bytes were counted. */
const formerBytes = 1200;

/** The usage of each account, endpoints that never answered, and deliveries that ended because a limit was reached. */
export class Migration20261124190002 extends Migration {
  override up(): void {
    this.addSql(`
      create table deliveries.usage (
        account_id uuid not null,
        slot integer not null,
        waiting bigint not null,
        bytes bigint not null,
        constraint usage_pkey primary key (account_id, slot)
      ) with (fillfactor = 50)`);
    this.addSql(`
      create table deliveries.stored_day (
        account_id uuid not null,
        day date not null,
        bytes bigint not null,
        constraint stored_day_pkey primary key (account_id, day)
      )`);
    this.addSql(`
      insert into deliveries.stored_day (account_id, day, bytes)
      select account_id,
        (to_timestamp(('x' || substr(replace(first_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0) at time zone 'UTC')::date,
        sum(deliveries) * ${formerBytes}
      from deliveries.delivery_count where endpoint_id = '00000000-0000-0000-0000-000000000000' group by 1, 2`);
    this.addSql(`
      insert into deliveries.usage (account_id, slot, waiting, bytes)
      select account_id, 0, sum(waiting), sum(bytes) from (
        select account_id, count(*) as waiting, 0 as bytes from deliveries.due group by 1
        union all
        select account_id, 0, sum(bytes) from deliveries.stored_day group by 1
      ) used group by 1`);
    // Endpoints that are there already count as answered, because it was not recorded.
    this.addSql(`alter table deliveries.endpoint add column has_answered boolean not null default true`);
    this.addSql(`alter table deliveries.endpoint alter column has_answered set default false`);
    this.addSql(`alter table deliveries.endpoint_health add column is_full boolean not null default false`);
    this.addSql(`alter table deliveries.delivery add column failure text null`);
  }
}
