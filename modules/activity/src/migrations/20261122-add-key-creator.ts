import { Migration } from '@mikro-orm/migrations';

/** The creator of a row's key, readable after the key is revoked. Null in the rows that are there already. */
export class AddKeyCreator extends Migration {
  override up(): void {
    this.addSql(`alter table activity.api_call_count add column key_created_by jsonb null`);
  }
}
