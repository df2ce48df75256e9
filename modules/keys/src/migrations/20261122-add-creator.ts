import { Migration } from '@mikro-orm/migrations';

/** The creator of a key; unknown for the keys that are there already. */
export class AddCreator extends Migration {
  override up(): void {
    this.addSql(`
      alter table keys.api_key
        add column created_by_kind text not null default 'unknown',
        add column created_by_id uuid null,
        add column created_by_name text null`);
    this.addSql(`alter table keys.api_key alter column created_by_kind drop default`);
  }
}
