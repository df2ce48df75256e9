import { Migration } from '@mikro-orm/migrations';

/** Who created the key of a row, so that it can be read after the key is revoked. Null in the rows that are there already. */
export class AddKeyCreator extends Migration {
  override up(): void {
    this.addSql(`alter table activity.api_call_count add column key_created_by jsonb null`);
  }
}
