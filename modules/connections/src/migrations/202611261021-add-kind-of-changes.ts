import { Migration } from '@mikro-orm/migrations';

export class Migration202611261021 extends Migration {
  override up(): void {
    this.addSql(`
      alter table connections.connection_change add column connection_kind text null;
      update connections.connection_change c set connection_kind = coalesce(
        (select one.kind from connections.connection one where one.account_id = c.account_id and one.id = c.connection_id),
        case when c.provider in ('klaviyo', 'hubspot', 'mailchimp', 'activecampaign', 'kit') then 'marketing' else 'mail' end);
      alter table connections.connection_change
        alter column connection_kind set not null,
        add constraint connection_change_connection_kind_check check (connection_kind in ('mail', 'marketing'))`);
  }
}
