import { toArrays, unnestArrays } from '@service/database';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';

const types = {
  id: 'uuid',
  small: 'smallint',
  whole: 'integer',
  share: 'float8',
  startedAt: 'timestamptz',
  name: 'text',
} as const;

const nothing = { id: null, small: null, whole: null, share: null, startedAt: null, name: null };

const rows = [
  {
    id: '01a21f07-610c-7439-b0a9-952611291cb0',
    small: -32_768,
    whole: 2_147_483_647,
    share: Infinity,
    startedAt: new Date('2026-11-27T21:44:39.123Z'),
    name: 'Zoë – ✓ 🎉',
  },
  nothing,
  {
    id: 'fedcba98-7654-4321-8fff-ffffffffffff',
    small: 0,
    whole: -1,
    share: -0.1,
    startedAt: new Date('1969-12-31T23:59:59.999Z'),
    name: '',
  },
];

const text = `select id, small, whole, share, started_at as "startedAt", name from ${unnestArrays('given', types)}`;

test('rows come back from the database as they were sent, with nulls, and none of no rows', async () => {
  await using opened = await testDatabase();
  const { pool } = opened.database;
  const read = async (sent: typeof rows) => (await pool.query({ text, values: toArrays(types, sent) })).rows;
  expect(await read(rows)).toEqual(rows);
  expect(await read([])).toEqual([]);
});

test('a number that its type does not have is refused before it is sent, and a text that Postgres does not have by Postgres', async () => {
  await using opened = await testDatabase();
  const { pool } = opened.database;
  expect(() => toArrays(types, [{ ...nothing, small: 32_768 }])).toThrow(RangeError);
  const values = toArrays(types, [{ ...nothing, name: 'a\0b' }]);
  await expect(pool.query({ text, values })).rejects.toMatchObject({ code: '22021' });
});
