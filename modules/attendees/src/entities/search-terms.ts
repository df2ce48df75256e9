// Search for people by the beginnings of words in name and e-mail address, with one index of Postgres itself: an extension such as
// pg_trgm is not installed on every server, and an index of whole names finds no second word.
//
// Each word begins with the end of the account's id. So the words of an account are one range of the index, and a search never
// reads those of another account.

/** Digits of the account's id before each word, as in the function `search_terms` of the database. */
const tagLength = 12;

/** More words than a person has in name and address. */
const wordsMax = 10;

/**
 * The words of a registration in SQL: those of the name and of the address, and the whole address. The function is declared as
 * costly, so that Postgres never computes it for each row of a webinar instead of reading the index.
 */
export const searchTermsSql = (row: string): string =>
  `attendees.search_terms(${row}.account_id, ${row}.name, ${row}.email)`;

/** The separators of `search_terms`. */
const separator = /[\s.,;:_+'"()/@-]+/;

/**
 * The query for `searchTermsSql`, for `lower($n)::tsquery`. It finds registrations in which each word of the text begins a word.
 * A word with an @ inside is the beginning of a whole address. Empty, and so without results, if the text has no word.
 */
export function searchQueryOf(accountId: string, text: string): string {
  const tag = accountId.slice(-tagLength);
  return wordsOf(text)
    .map((word) => `'${tag}${quote(word)}':*`)
    .join(' & ');
}

/** The longest word of a search. A registration that is found contains it in its name or in its address. */
export const searchWordOf = (text: string): string =>
  wordsOf(text).toSorted((one, other) => other.length - one.length)[0] ?? '';

const wordsOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .flatMap((word) => (word.indexOf('@') > 0 ? [word] : word.split(separator)))
    .filter((word) => word !== '')
    .slice(0, wordsMax);

const quote = (word: string): string => word.replaceAll('\\', '\\\\').replaceAll("'", "''");
