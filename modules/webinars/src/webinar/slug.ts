// A slug is words, a hyphen and an end of six characters: `product-launch-k3f9x2`. The end names the webinar among those of all
// workspaces and never changes, so the owner can change the words, and links with former words still lead to the webinar.
import { randomInt } from 'node:crypto';
import { column, type Query, statement } from '@service/database';
import { commonErrors } from '@service/errors';
import slugify from '@sindresorhus/slugify';

const wordsMax = 60;
/** Words that an owner chose may be longer than those of a title. */
const givenMax = 80;

/** A title as part of a URL: lower-case ASCII words with hyphens, or `fallback` for a title without such words. */
export const titleToSlug = (title: string, fallback: string): string =>
  slugify(title, { decamelize: false }).slice(0, wordsMax).replace(/-$/, '') || fallback;

/** Without vowels, so that an end is no word, and without characters that look alike. */
const letters = 'bcdfghjkmnpqrstvwxz23456789';
const endLength = 6;

/** A free slug with these words. */
export async function createSlug(query: Query, words: string): Promise<string> {
  const end = Array.from({ length: endLength }, () => letters[randomInt(letters.length)]).join('');
  const [taken] = await query(selectByEnds, [[end]]);
  return taken ? createSlug(query, words) : `${words}-${end}`;
}

/** The slug with other words. `given` may also be a whole slug, as a client has read it. Throws validation_failed. */
export function changeWords(slug: string, given: string): string {
  const end = slug.slice(-endLength - 1);
  if (given.endsWith(end)) return given;
  if (given.length <= givenMax) return given + end;
  const message = `At most ${givenMax} characters.`;
  throw commonErrors.validation_failed({ issues: [{ path: 'slug', message }] });
}

const slugPattern = new RegExp(`^[a-z0-9-]{1,100}-([a-z0-9]{${endLength}})$`);

/** The end of a slug. Undefined for a text that no webinar has as its slug. */
export const endOfSlug = (slug: string): string | undefined => slugPattern.exec(slug)?.[1];

const selectByEnds = statement({
  name: 'webinars.select_by_slug_ends',
  text: `select account_id as "accountId", id as "webinarId", right(slug, ${endLength}) as "end"
    from webinars.webinar where right(slug, ${endLength}) = any($1::text[])`,
  allAccounts: 'A public link names a webinar without its account.',
  row: { accountId: column.id, webinarId: column.id, end: column.text },
});

/** The webinars that have these ends, in any status. */
export const findBySlugEnds = (query: Query, ends: readonly string[]) => query(selectByEnds, [ends]);
