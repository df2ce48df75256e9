import { Migration } from '@mikro-orm/migrations';

/** Beside better-auth's organization, since the columns of that belong to better-auth. No row: not suspended. */
export class CreateSuspension extends Migration {
  override up(): void {
    this.addSql(`
      create table accounts.suspension (
        account_id text not null,
        suspended_at timestamptz(3) not null,
        constraint suspension_pkey primary key (account_id),
        constraint suspension_organization_fkey
          foreign key (account_id) references accounts.organization ("id") on delete cascade
      )`);
  }
}
