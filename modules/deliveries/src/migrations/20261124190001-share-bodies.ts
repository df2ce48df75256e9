import { Migration } from '@mikro-orm/migrations';

/**
 * Bodies in a table of their own, once for all deliveries of a call that have the same one. Rows that are there already keep their
 * body. A worker of an earlier version reads only `delivery.body`: while one lives (`reads_bodies`), the body is written there too.
 */
export class Migration20261124190001 extends Migration {
  override up(): void {
    this.addSql(`
      create table deliveries.body (
        id uuid not null,
        account_id uuid not null,
        body text not null,
        constraint body_pkey primary key (id, account_id)
      ) partition by range (id)`);
    this.addSql(`create table deliveries.body_default partition of deliveries.body default`);
    this.addSql(`
      alter table deliveries.delivery alter column body drop not null, add column body_id uuid null`);
    this.addSql(`alter table deliveries.worker add column reads_bodies boolean not null default false`);
  }
}
