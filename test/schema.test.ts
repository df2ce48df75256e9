import { expect, test } from 'vitest';
import { testDatabase } from './support/database.ts';

test('migrations of an empty database make exactly the schema of the entities', async () => {
  await using db = await testDatabase();
  expect(await db.database.orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
});
