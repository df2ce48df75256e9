import { Migration } from '@mikro-orm/migrations';

/**
 * Deliveries that replace waiting ones, the registration of a delivery, indexes for lists of an account and of a registration, and
 * runs that send everything that waits.
 */
export class Migration20261122213001 extends Migration {
  override up(): void {
    this.addSql(`
      alter table deliveries.delivery add column registration_id uuid null, add column replaced_by uuid null`);
    this.addSql(`create index delivery_account_index on deliveries.delivery (account_id, id)`);
    this.addSql(`
      create index delivery_account_ended_index on deliveries.delivery (account_id, ended_as, id)
      where ended_as is not null`);
    this.addSql(`
      create index delivery_registration_index on deliveries.delivery (account_id, registration_id, id)
      where registration_id is not null`);
    this.addSql(`
      create table deliveries.flush (
        account_id uuid not null,
        endpoint_id uuid not null,
        id uuid not null,
        state text not null,
        total integer not null,
        parked_until timestamptz(6) not null,
        is_parked boolean not null,
        next_at timestamptz(6) not null,
        started_at timestamptz(3) not null,
        finished_at timestamptz(3) null,
        constraint flush_pkey primary key (account_id, endpoint_id),
        constraint flush_state_check check (state in ('running', 'done'))
      ) with (fillfactor = 50)`);
    this.addSql(`create index flush_next_index on deliveries.flush (next_at) where state = 'running'`);
  }
}
