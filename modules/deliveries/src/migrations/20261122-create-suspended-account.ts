import { Migration } from '@mikro-orm/migrations';

/** Accounts for which nothing is sent, and those whose parked deliveries are being released. */
export class CreateSuspendedAccount extends Migration {
  override up(): void {
    this.addSql(`
      create table deliveries.suspended_account (
        account_id uuid not null,
        resumed_at timestamptz(3) null,
        constraint suspended_account_pkey primary key (account_id)
      )`);
  }
}
