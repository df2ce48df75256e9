import { Migration } from '@mikro-orm/migrations';

export class Migration202611261006 extends Migration {
  override up(): void {
    this.addSql('alter table contacts.change add column is_erasure boolean not null default false');
    this.addSql(`update contacts.run set after_contact = '' where status <> 'running'`);
  }
}
