import { Migration } from '@mikro-orm/migrations';

/** The secrets of reports and the connections to marketing tools. Some databases have a part of it from an earlier commit. */
export class Migration202611261002 extends Migration {
  override up(): void {
    this.addSql(`
      alter table connections.connection
        add column if not exists report_secret_version integer not null default 0,
        add column if not exists sealed_report_secret text null,
        add column if not exists report_secret_last4 text null,
        drop constraint connection_kind_check,
        add constraint connection_kind_check check (kind in ('mail', 'marketing')),
        drop constraint if exists connection_provider_check;
      alter table connections.connection alter column report_secret_version drop default;
      alter table connections.connection_change
        drop constraint connection_change_kind_check,
        add constraint connection_change_kind_check check (kind in
          ('connected', 'credential_replaced', 'report_secret_changed', 'changed', 'made_default', 'paused', 'resumed', 'disconnected'))`);
  }
}
