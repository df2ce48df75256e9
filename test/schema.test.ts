import { expect, test } from 'vitest';
import { testDatabase } from './support/database.ts';

test('the migrations of an empty database leave nothing for the ORM to change', async () => {
  await using db = await testDatabase();
  expect(await db.database.orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
});
