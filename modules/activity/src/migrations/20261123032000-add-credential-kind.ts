import { CheckMigration } from '@service/database';

/** The kind of a row's credential. Null in the rows that are there already, which count calls of keys. */
export class Migration20261123032000 extends CheckMigration {
  override readonly sets = [
    { table: 'activity.api_call_count', column: 'credential_kind', values: ['key', 'grant'] },
  ];

  override async up(): Promise<void> {
    await this.execute(
      `alter table activity.api_call_count add column if not exists credential_kind text null`,
    );
    await super.up();
  }
}
