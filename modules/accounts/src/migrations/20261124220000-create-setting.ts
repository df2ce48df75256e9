import { Migration } from '@mikro-orm/migrations';

/** The time zone of a workspace, beside better-auth's organization. No row: UTC. */
export class Migration20261124220000 extends Migration {
  override up(): void {
    this.addSql(`
      create table accounts.setting (
        account_id text not null,
        time_zone text not null,
        changed_by text not null,
        changed_at timestamptz(3) not null,
        constraint setting_pkey primary key (account_id),
        constraint setting_organization_fkey
          foreign key (account_id) references accounts.organization ("id") on delete cascade
      )`);
  }
}
