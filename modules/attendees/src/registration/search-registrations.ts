import { statement, type AccountReader } from '@service/database';
import { registrationRow, type Registration } from '../entities/registration.ts';
import { searchQueryOf, searchTermsSql } from '../entities/search-terms.ts';

interface RegistrationSearch {
  /** Words, each the beginning of a word of the name or the e-mail address. */
  text: string;
  /** Undefined: in every webinar of the account. */
  webinarId?: string | undefined;
  limit: number;
}

// Without a name, so that Postgres plans each search for its words.
const selectMatching = statement({
  text: `
    select r.* from attendees.registration r
    where r.account_id = $1 and ${searchTermsSql('r')} @@ lower($2)::tsquery
      and ($3::uuid is null or r.webinar_id = $3)
    order by r.id desc limit $4`,
  row: registrationRow.columns,
});

/** Finds registrations by name or e-mail address, the newest first, also cancelled ones. */
export async function searchRegistrations(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  { text, webinarId, limit }: RegistrationSearch,
): Promise<Registration[]> {
  const rows = await query(selectMatching, [
    accountId,
    searchQueryOf(accountId, text),
    webinarId ?? null,
    limit,
  ]);
  return rows.map(registrationRow.toEntity);
}
