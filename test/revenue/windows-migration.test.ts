// A database from before attribution windows had a closed set of lengths.
import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { createFormerDatabase } from '../support/former-database.ts';

const ours = '20261123001000-round-attribution-windows';

test('windows of webinars are rounded up to a length that exists, and the former default follows the workspace', async () => {
  await using database = await createFormerDatabase((name) => name < ours);
  const { pool } = database;
  const expected = {
    1: 1,
    2: 7,
    7: 7,
    8: 14,
    15: 30,
    29: 30,
    30: null,
    31: 60,
    61: 90,
    90: 90,
    91: 90,
    365: 90,
  };
  for (const days of Object.keys(expected)) {
    await pool.query(
      `insert into webinars.webinar (account_id, id, title, slug, kind, status, locale, timezone, duration_seconds, schedule,
           room, replay, registration_form, attendance, attribution, created_at, updated_at)
         values ($1, $1, $2, $2, 'standard', 'draft', 'en', 'UTC', 60, '{}', '{}', '{}', '{}', '{}', $3, now(), now())`,
      [createId(), days, { windowDays: Number(days) }],
    );
  }
  expect(await database.migrate((name) => name <= ours)).toEqual([ours]);
  const { rows } = await pool.query('select title, attribution from webinars.webinar');
  const found = rows.map(({ title, attribution }) => [title, attribution.windowDays]);
  expect(Object.fromEntries(found)).toEqual(expected);
});
