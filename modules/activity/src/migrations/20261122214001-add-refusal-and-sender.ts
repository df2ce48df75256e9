import { Migration } from '@mikro-orm/migrations';

/** The reason of a refusal, and facts about the sender. Null in the rows that are there already. */
export class Migration20261122214001 extends Migration {
  override up(): void {
    this.addSql(`set local statement_timeout = 0`);
    this.addSql(`
      alter table activity.api_call
        add column error_code text null,
        add column refused_fields jsonb null,
        add column user_agent text null,
        add column address text null,
        add column idempotency_key text null`);
    this.addSql(`
      create index api_call_error_index on activity.api_call (account_id, error_code, id)
      where error_code is not null`);
  }
}
