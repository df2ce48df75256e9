import { Migration } from '@mikro-orm/migrations';

/**
 * Windows become 1, 7, 14, 30, 60 or 90 days: rounded up, and above 90 days 90. The former default of 30 becomes null, the window of
 * the workspace, which is 30 days too until someone changes it.
 */
export class Migration20261123001000 extends Migration {
  override up(): void {
    this.addSql(`
      update webinars.webinar set attribution = jsonb_set(attribution, '{windowDays}', case
        when days = 30 then 'null'
        when days <= 1 then '1'
        when days <= 7 then '7'
        when days <= 14 then '14'
        when days <= 30 then '30'
        when days <= 60 then '60'
        else '90' end::jsonb)
      from (
        select account_id, id, (attribution ->> 'windowDays')::int as days from webinars.webinar
      ) before
      where before.account_id = webinar.account_id and before.id = webinar.id`);
  }
}
