import { Migration } from '@mikro-orm/migrations';

/** Adds an index for the search by name and e-mail address; see `entities/search-terms.ts`. */
export class Migration20261122212000 extends Migration {
  override up(): void {
    // Not in SQL, because Postgres would replace a function in SQL by its text and forget the cost.
    this.addSql(String.raw`
      create function attendees.search_terms(account_id uuid, name text, email text) returns tsvector
      language plpgsql immutable parallel safe cost 10000 as $$
      declare words text := trim(regexp_replace(name || ' ' || email, '[\s.,;:_+''"()/@-]+', ' ', 'g'));
      begin
        return array_to_tsvector(string_to_array(
          regexp_replace(lower(words || ' ' || email), '(\S+)', right(account_id::text, 12) || '\1', 'g'), ' '));
      end $$`);
    // The list of pending entries is short: a registration that has to empty a long one would wait for it.
    this.addSql(`
      create index registration_search_index on attendees.registration
        using gin (attendees.search_terms(account_id, name, email)) with (gin_pending_list_limit = 256)`);
  }
}
