import { Migration } from '@mikro-orm/migrations';

export class Migration202611251955 extends Migration {
  override up(): void {
    this.addSql('create schema mails');
    this.addSql(`
      create table mails.mailbox_mail (
        id uuid not null,
        sealed_mail text not null,
        constraint mailbox_mail_pkey primary key (id)
      )`);
  }
}
