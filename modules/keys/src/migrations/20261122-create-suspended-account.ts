import { Migration } from '@mikro-orm/migrations';

export class CreateSuspendedAccount extends Migration {
  override up(): void {
    this.addSql(`
      create table keys.suspended_account (
        account_id uuid not null,
        constraint suspended_account_pkey primary key (account_id)
      )`);
  }
}
