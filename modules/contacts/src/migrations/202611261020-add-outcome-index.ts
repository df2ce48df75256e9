import { Migration } from '@mikro-orm/migrations';

/** The history by outcome. Most sends are done, and those are found in the order of their times. */
export class Migration202611261020 extends Migration {
  override up(): void {
    this.addSql(`
      create index send_outcome_index on contacts.send (account_id, connection_id, outcome, id) where outcome <> 'done'`);
  }
}
