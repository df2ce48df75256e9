import { type AccountReader, partialRow, statement } from '@service/database';
import { storable } from '@service/trpc';
import { nameWebinars } from '@service/webinars';
import { z } from 'zod';
import { registrationStatuses } from '../entities/registration-sets.ts';
import { Registration, statusOf } from '../entities/registration.ts';
import { searchQueryOf, searchTermsSql, searchWordOf } from '../entities/search-terms.ts';

interface RegistrationSearch {
  /** Words, each the beginning of a word of the name or the e-mail address. */
  text: string;
  /** Undefined: in every webinar of the account. */
  webinarId?: string | undefined;
  limit: number;
}

const found = partialRow(Registration, ['id', 'webinarId', 'name', 'email', 'status']);

type Found = Pick<Registration, 'id' | 'webinarId' | 'name' | 'email' | 'status'>;

const columns = Object.keys(found.columns)
  .map((name) => `r.${name}`)
  .join(', ');

const matches = `r.account_id = $1 and ${searchTermsSql('r')} @@ lower($2)::tsquery
        and ($3::uuid is null or r.webinar_id = $3) and r.status <> 'test'`;

/** The newest registrations of the account that are searched first, because common words are found among them. */
const newestSearched = 100;

// Neither has a name, so that Postgres plans each search for its words. It cannot estimate how many rows have a word that begins
// with the given letters, and in one statement it would read all registrations in their order to find a rare one.
// The words of a row take 8 us. Few rows contain the letters of $5 at all, so only for these the words are made.
const selectAmongNewest = statement({
  text: `
    select ${columns} from (
      select * from attendees.registration where account_id = $1 order by id desc limit ${newestSearched}
    ) r
    where strpos(lower(r.name || ' ' || r.email), lower($5)) > 0 and ${matches}
    order by r.id desc limit $4`,
  row: found.columns,
});

const selectByIndex = statement({
  text: `
    with r as materialized (select ${columns} from attendees.registration r where ${matches})
    select * from r order by id desc limit $4`,
  row: found.columns,
});

/** Finds registrations by name or e-mail address, the newest first, also cancelled ones. */
export async function searchRegistrations(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  { text, webinarId, limit }: RegistrationSearch,
): Promise<Found[]> {
  const values = [accountId, searchQueryOf(accountId, text), webinarId ?? null, limit];
  const newest = await query(selectAmongNewest, [...values, searchWordOf(text)]);
  const rows = newest.length === limit ? newest : await query(selectByIndex, values);
  return rows.map(found.toEntity);
}

const shownMax = 6;

export const FindPeopleInput = z.strictObject({
  /** Beginnings of words of a name or an e-mail address, or the id of a registration. */
  q: storable(z.string().max(200)),
});

export const FoundPerson = z.object({
  id: z.uuid(),
  webinarId: z.uuid(),
  webinarTitle: z.string(),
  name: z.string(),
  email: z.string(),
  status: z.enum(registrationStatuses),
});

/** Registrations of the account for the search of the dashboard, newest first, at most six. */
export async function findPeople(
  reader: AccountReader,
  text: string,
): Promise<z.input<typeof FoundPerson>[]> {
  const registrations = await matching(reader, text.trim());
  const titles = await nameWebinars(
    reader,
    registrations.map(({ webinarId }) => webinarId),
  );
  return registrations.flatMap((registration) => {
    const { id, webinarId, name, email } = registration;
    const status = statusOf(registration);
    const webinarTitle = titles.get(webinarId);
    return webinarTitle === undefined ? [] : [{ id, webinarId, webinarTitle, name, email, status }];
  });
}

function matching(reader: AccountReader, text: string): Promise<Found[]> {
  const { accountId } = reader;
  return z.uuid().safeParse(text).success
    ? reader.em.find(Registration, { accountId, id: text, status: { $ne: 'test' } })
    : searchRegistrations(reader, { text, limit: shownMax });
}
