import { expect } from 'vitest';
import { test } from '../support/database-test.ts';
import { findInDatabase, findInTexts } from './find-secrets.ts';

const secret = 'pk_0123/456+789';

test('a secret is found in a text in each form, and in a column of each type', async ({ pool }) => {
  const hidden = {
    plain: `{"key":"${secret}"}`,
    url: `GET /?key=${encodeURIComponent(secret)}`,
    basic: Buffer.from(`any:${secret}`).toString('base64'),
    none: 'pk_***789',
  };
  expect(findInTexts(hidden, ['another secret', secret])).toEqual(['plain', 'url', 'basic']);

  const query = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    (await pool.query(sql, values)).rows as Row[];
  const before = await findInDatabase(query, [secret]);
  expect(before).toEqual([]);
  const columns: Record<string, [type: string, value: unknown]> = {
    bytes: ['bytea', Buffer.from(secret)],
    json: ['jsonb', JSON.stringify({ deep: [secret] })],
    list: ['text[]', [secret]],
    words: ['text', `The tool said: ${secret} is not known.`],
  };
  for (const [name, [type, value]] of Object.entries(columns)) {
    await query(`create table public.planted_${name} (id int, hidden ${type})`);
    await query(`insert into public.planted_${name} values (1, $1)`, [value]);
  }
  const tables = Object.keys(columns).map((name) => `public.planted_${name}`);
  expect(await findInDatabase(query, [secret])).toEqual(tables);
});
