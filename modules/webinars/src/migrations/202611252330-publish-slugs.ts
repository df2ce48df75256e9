// The slug of a webinar gets an end that is unique over all workspaces, so that it can be the address of a public page.
import { Migration } from '@mikro-orm/migrations';

/** Those of `webinar/slug.ts`. */
const letters = 'bcdfghjkmnpqrstvwxz23456789';

export class Migration202611252330 extends Migration {
  override up(): void {
    this.addSql(`
      alter table webinars.webinar
      add column registration_page jsonb not null default '{"takeaways": [], "presenters": [], "linksByMailOnly": false}'`);
    // A multiple of a number without a common divisor is different for each row, and so is its end.
    this.addSql(`
      with numbered as (
        select account_id, id, row_number() over (order by random()) * 179424673 % ${letters.length ** 6} as number
        from webinars.webinar
      ), ended as (
        select account_id, id,
          (select string_agg(substr('${letters}', (number / power % ${letters.length})::int + 1, 1), '')
           from unnest(array[${powers.join(', ')}]::bigint[]) as power) as slug_end
        from numbered
      )
      update webinars.webinar w
      set slug = case when slug like 'deleted:%' then 'deleted' else slug end || '-' || slug_end
      from ended where ended.account_id = w.account_id and ended.id = w.id`);
    this.addSql(`
      alter table webinars.webinar drop constraint webinar_slug_unique;
      create unique index webinar_slug_end_index on webinars.webinar (right(slug, 6))`);
  }
}

const powers = Array.from({ length: 6 }, (_, index) => letters.length ** index);
