import { deleteCallCountsBefore } from '@service/activity';
import { expect, test } from 'vitest';
import { activityWorld, createKey, minutesAgo, now } from './activity-world.ts';

test('all counts older than the retention are deleted, and no others', async () => {
  await using world = await activityWorld();
  const { pool } = world.db.database;
  await world.record([{ at: minutesAgo(1), key: createKey('Key') }]);
  // More than one batch of them.
  await pool.query(
    `insert into activity.api_call_count
     select $1, gen_random_uuid(), $2, 'rest', 'Old', 1, 0 from generate_series(1, 12000)`,
    [world.accountId, minutesAgo(91 * 24 * 60)],
  );
  expect(await deleteCallCountsBefore(pool, minutesAgo(90 * 24 * 60))).toBe(12_000);
  const { rows } = await pool.query(
    'select count(*)::int as kept from activity.api_call_count where starts_at <= $1',
    [now],
  );
  expect(rows).toEqual([{ kept: 2 }]);
});
