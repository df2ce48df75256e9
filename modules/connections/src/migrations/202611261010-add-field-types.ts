import { Migration } from '@mikro-orm/migrations';

/** The types of the fields of marketing tools, so that values are written in their form without a call. */
export class Migration202611261010 extends Migration {
  override up(): void {
    this.addSql(`alter table connections.connection add column field_types jsonb not null default '{}'`);
  }
}
