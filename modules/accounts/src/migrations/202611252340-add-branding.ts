import { Migration } from '@mikro-orm/migrations';

export class Migration202611252340 extends Migration {
  override up(): void {
    this.addSql(`
      alter table accounts.setting add column brand_color text null, add column logo_url text null,
        add constraint setting_brand_color_check check (brand_color ~ '^#[0-9a-f]{6}$')`);
  }
}
