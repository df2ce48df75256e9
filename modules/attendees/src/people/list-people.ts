// People: the registrations of one e-mail address, over all webinars. Nothing is stored about them, so an erasure has nothing more to do.
import { type AccountReader, column, highestId, type Query, statement } from '@service/database';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { searchQueryOf, searchTermsSql } from '../entities/search-terms.ts';
import { countedMax, type ListPeopleInput, type PersonOutput } from './schemas.ts';

/** Registrations that one page searches. A page may be short, and still have a next page. */
const walkMax = 500;

const row = { id: column.id, email: column.text, name: column.text, registeredAt: column.time };

/** A person is listed at their newest registration. */
const newestOf = (of: string) => `
  cross join lateral (
    select n.id from attendees.registration n
    where n.account_id = $1 and n.email = ${of}.email and n.status <> 'test' order by n.id desc limit 1
  ) newest`;

// $1 account, $2 before this id, $3 how many, $4 the words or null.
const selectAmongFirst = statement({
  name: 'attendees.select_people',
  text: `
    select w.id, w.email, w.name, w.registered_at as "registeredAt" from (
      select account_id, id, email, name, registered_at, status from attendees.registration
      where account_id = $1 and id < $2 order by id desc limit ${walkMax}
    ) w ${newestOf('w')}
    where newest.id = w.id and w.status <> 'test'
      and ($4::text is null or ${searchTermsSql('w')} @@ lower($4)::tsquery)
    order by w.id desc limit $3`,
  row,
});

const selectLastSearched = statement({
  name: 'attendees.select_last_searched_person',
  text: `
    select id from attendees.registration where account_id = $1 and id < $2 order by id desc limit 1 offset ${walkMax - 1}`,
  row: { id: column.id },
});

// $1 account, $2 before this id, $3 the words. Without a name, so that Postgres plans each search for its words. See
// search-registrations.ts. The index has no order, so all matches are read, 30,000 of them in 44 ms; only the newest are looked up.
const selectByWords = statement({
  text: `
    with found as materialized (
      select r.id, r.email, r.name, r.registered_at from attendees.registration r
      where r.account_id = $1 and ${searchTermsSql('r')} @@ lower($3)::tsquery and r.id < $2 and r.status <> 'test'
    )
    select f.id, f.email, f.name, f.registered_at as "registeredAt", newest.id = f.id as "isNewest"
    from (select * from found order by id desc limit ${walkMax}) f ${newestOf('f')}
    order by f.id desc`,
  row: { ...row, isNewest: column.boolean },
});

const countOfEach = statement({
  name: 'attendees.count_registrations_of_people',
  text: `
    select wanted.email, counted.registrations, counted.attended from unnest($2::text[]) as wanted (email)
    cross join lateral (
      select count(*)::int as registrations,
        (count(*) filter (where c.status in ('attending', 'attended')))::int as attended
      from (
        select status from attendees.registration
        where account_id = $1 and email = wanted.email and status <> 'test' limit ${countedMax}
      ) c
    ) counted`,
  row: { email: column.text, registrations: column.integer, attended: column.integer },
});

/** A page of the people of an account, the latest to register first. */
export async function listPeople(
  { query, accountId }: AccountReader,
  { limit, cursor, q }: z.output<typeof ListPeopleInput>,
) {
  const scope = { list: 'people', accountId, filters: { q } };
  const before = cursorId(cursor, scope) ?? highestId;
  const words = q === undefined ? null : searchQueryOf(accountId, q);
  const first = await query(selectAmongFirst, [accountId, before, limit + 1, words]);
  const isFull = first.length > limit;
  const [searched] = isFull ? [] : await query(selectLastSearched, [accountId, before]);
  // Common words are found among the first registrations. For rare ones, the index skips the registrations without them.
  const { found, stoppedAt } =
    words !== null && first.length === 0 && searched
      ? await findByWords(query, [accountId, searched.id, words])
      : { found: first, stoppedAt: searched?.id };
  const emails = found.slice(0, limit).map(({ email }) => email);
  const counts = emails.length === 0 ? [] : await query(countOfEach, [accountId, emails]);
  const countOf = new Map(counts.map((one) => [one.email, one]));
  return toPage(found, {
    limit,
    scope,
    stoppedAt,
    toItem: ({ id, email, name, registeredAt }): z.input<typeof PersonOutput> => {
      const { registrations = 0, attended = 0 } = countOf.get(email) ?? {};
      return { id, email, name, registrations, attended, registeredAt: registeredAt.toISOString() };
    },
  });
}

async function findByWords(query: Query, values: readonly string[]) {
  const matches = await query(selectByWords, values);
  const stoppedAt = matches.length === walkMax ? matches.at(-1)!.id : undefined;
  return { found: matches.filter(({ isNewest }) => isNewest), stoppedAt };
}
