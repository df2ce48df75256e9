import { activityModule, deleteCallCountsBefore } from '@service/activity';
import { migrateDatabase } from '@service/database';
import { expect, test } from 'vitest';
import { activityWorld, createKey, minutesAgo, now } from './activity-world.ts';

test('the migration counts older calls as the recorder would have counted them', async () => {
  await using world = await activityWorld();
  const { pool } = world.db.database;
  const keys = [createKey('One'), createKey('Two')];
  await world.record(
    Array.from({ length: 60 }, (_, index) => ({
      at: minutesAgo(index * 7),
      key: keys[index % 2]!,
      surface: index % 3 === 0 ? ('mcp' as const) : ('rest' as const),
      status: index % 10 === 0 ? 500 : 200,
    })),
  );
  const counts = async () =>
    (await pool.query('select * from activity.api_call_count order by key_id, starts_at, surface')).rows;
  const recorded = await counts();
  expect(recorded.length).toBeGreaterThan(60);
  // Calls do not say who created their key, and they were all made with keys.
  const migratedCounts = recorded.map((count) => ({ ...count, key_created_by: null, credential_kind: null }));

  await pool.query('drop table activity.api_call_count');
  await pool.query('drop index activity.api_call_request_index');
  const migrations = [
    '20261120-activity-extend-api-call',
    '20261122-activity-add-key-creator',
    '20261123032000-add-credential-kind',
  ];
  await pool.query('delete from public.migration where name = any($1)', [migrations]);
  const migrated = await migrateDatabase({
    url: world.db.url,
    entities: [],
    migrations: activityModule.migrations,
  });
  expect(migrated).toEqual(migrations);
  expect(await counts()).toEqual(migratedCounts);
});

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
