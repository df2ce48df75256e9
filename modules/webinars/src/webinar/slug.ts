import { randomInt } from 'node:crypto';
import { column, statement, type AccountWriter } from '@service/database';
import slugify from '@sindresorhus/slugify';
import { webinarErrors } from '../errors.ts';

const lengthMax = 60;
const numberedMax = 20;

/** A title as part of a URL: lower-case ASCII words with hyphens, or `fallback` for a title without such words. */
export const titleToSlug = (title: string, fallback: string): string =>
  slugify(title, { decamelize: false }).slice(0, lengthMax).replace(/-$/, '') || fallback;

/** Makes a free slug from a title. If it is taken, appends a number from 2 on, and in the end a random number. */
export async function freeSlug(tx: AccountWriter, title: string): Promise<string> {
  const base = titleToSlug(title, 'webinar');
  const numbered = Array.from({ length: numberedMax - 1 }, (_, index) => `${base}-${index + 2}`);
  const wanted = [base, ...numbered];
  const taken = await takenSlugs(tx, wanted);
  return wanted.find((slug) => !taken.has(slug)) ?? `${base}-${randomInt(1e9, 1e10)}`;
}

/** Throws webinar_slug_taken. */
export async function requireFreeSlug(tx: AccountWriter, slug: string): Promise<void> {
  const taken = await takenSlugs(tx, [slug]);
  if (taken.has(slug)) throw webinarErrors.webinar_slug_taken();
}

const lockSlugs = statement({
  name: 'webinars.lock_slugs',
  text: 'select pg_advisory_xact_lock(hashtextextended($1::text, 0))',
});

const selectTaken = statement({
  name: 'webinars.select_taken_slugs',
  text: 'select slug from webinars.webinar where account_id = $1 and slug = any($2::text[])',
  row: { slug: column.text },
});

/** Returns the slugs that are taken, and locks the slugs of the account until the end of the transaction. */
async function takenSlugs(
  { query, accountId }: AccountWriter,
  slugs: readonly string[],
): Promise<Set<string>> {
  await query(lockSlugs, [`webinars.slug ${accountId}`]);
  const rows = await query(selectTaken, [accountId, slugs]);
  return new Set(rows.map((row) => row.slug));
}
