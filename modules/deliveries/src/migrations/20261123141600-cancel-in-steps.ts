import { Migration } from '@mikro-orm/migrations';

/** Endpoints whose waiting deliveries are being cancelled. */
export class Migration20261123141600 extends Migration {
  override up(): void {
    this.addSql(`
      create table deliveries.cancellation (
        account_id uuid not null,
        endpoint_id uuid not null,
        constraint cancellation_pkey primary key (account_id, endpoint_id)
      )`);
  }
}
