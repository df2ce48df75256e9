// The service behind a pooler in transaction mode.
import { serviceEntities } from '@service/composition';
import { defaultPoolSize } from '@service/config';
import { openDatabase } from '@service/database';
import { runMaintenance } from '@service/worker';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startPooler } from '../support/pooler.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { createRunningClock, createWorld } from '../support/world.ts';

/** As in docs/operation.md. */
const poolerConnections = 20;

/** The connections of each program that are not the pooler's. */
async function countDirect(db: TestDatabase): Promise<Record<string, number>> {
  const { rows } = await db.database.pool.query<{ name: string; count: number }>(
    `select application_name as name, count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name not in ('pooler', 'test') group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

test('an API and a worker behind a pooler serve the main flow with three direct connections, so 50 processes need less than 100', async () => {
  await using db = await testDatabase({ withAccounts: true });
  await using pooler = await startPooler(db.url, 4);
  await using receiver = await startReceiver();
  const clock = createRunningClock();
  const urls = { databaseUrl: pooler.url, databaseSessionUrl: db.url };
  await using service = await testApi({ shared: db, now: clock.now, options: urls });
  await using _worker = await testWorker(pooler.url, { ...urls, baseUrl: service.baseUrl });
  const world = await createWorld({ beside: { service, clock } });
  await world.rule(receiver.url);
  const { id: subscriptionId } = await world.subscribe(receiver.url);

  const [ada, grace] = [await world.attend(), await world.attend('grace@example.com')];
  await eventually(
    'a webhook of the rule and of the subscription for each',
    () => receiver.received.length === 4,
  );
  await world.untilNewest(`/webhooks/${subscriptionId}/deliveries`, 'success');
  world.startSession();
  await ada.visit();
  await grace.visit();
  await using feed = await grace.listen();
  await ada.watch(20);
  await ada.say('Hello');
  await eventually('the message', () => feed.text().includes('Hello'));
  const dashboard = await openDashboard(service, world);
  expect(await dashboard.query('webinars.list', {})).toHaveLength(1);

  const direct = await countDirect(db);
  expect(direct).toEqual({ api: 1, worker: 2 });
  const reserved = 3;
  expect(25 * direct['api']! + 25 * direct['worker']! + poolerConnections + reserved).toBeLessThan(100);

  const { sessionPool } = service.api.service.database;
  await runMaintenance(sessionPool, { now: new Date(), retentionDays: 90 });
  expect(pooler.refused).toEqual([]);
});

test('behind a pooler each statement has the settings of its pool, and the next client of the connection does not', async () => {
  await using db = await testDatabase();
  await using pooler = await startPooler(db.url, 1);
  const database = await openDatabase({
    url: pooler.url,
    sessionUrl: db.url,
    entities: serviceEntities,
    name: 'pooled',
    connections: { statementMaxMs: 50 },
  });
  const setting = { text: `select current_setting('constraint_exclusion') as value` };
  try {
    const tooLong = { text: 'select pg_sleep(10)' };
    await expect(database.query(tooLong, [])).rejects.toMatchObject({ code: '57014' });
    expect(await database.query(setting, [])).toEqual([{ value: 'off' }]);
    await database.transaction(async (tx) => {
      expect(await tx.query({ text: `select current_setting('statement_timeout') as value` }, [])).toEqual([
        { value: '30s' },
      ]);
    });
    const other = new pg.Client({ connectionString: pooler.url });
    await other.connect();
    expect((await other.query(setting.text)).rows).toEqual([{ value: 'partition' }]);
    await other.end();
  } finally {
    await database.close();
  }
});

test('a process does not start when its two URLs lead to different databases', async () => {
  await using db = await testDatabase();
  await using other = await testDatabase();
  const opening = openDatabase({
    url: db.url,
    sessionUrl: other.url,
    entities: serviceEntities,
    name: 'mixed',
  });
  await expect(opening).rejects.toThrow('DATABASE_SESSION_URL is another database than DATABASE_URL');
});

test('the pooler of the tests refuses what PgBouncer refuses in transaction mode, and what would leak into another session', async () => {
  await using db = await testDatabase();
  await using pooler = await startPooler(db.url, 1);
  const statements = [
    'listen deliveries_due',
    'set statement_timeout = 0',
    'select pg_advisory_lock(1)',
    `select set_config('lock_timeout', '1s', false)`,
  ];
  const client = new pg.Client({ connectionString: pooler.url });
  await client.connect();
  for (const statement of statements)
    await expect(client.query(statement)).rejects.toThrow('refused_by_the_pooler');
  await client.end();
  expect(pooler.refused).toEqual(statements);
  const direct = new pg.Client({ connectionString: pooler.url, options: '-c statement_timeout=0' });
  await expect(direct.connect()).rejects.toThrow('unsupported startup parameter: options');
});

test('a process on one core opens fewer connections than one on two, and none more than ten at once', () => {
  expect([1, 2, 64].map(defaultPoolSize)).toEqual([6, 10, 10]);
});

test('settings of ours win over those in a URL, and its other options are kept', async () => {
  await using db = await testDatabase();
  const url = new URL(db.url);
  url.searchParams.set('options', '-c geqo=off -c statement_timeout=0');
  url.searchParams.set('statement_timeout', '0');
  const database = await openDatabase({ url: url.href, entities: [], name: 'given' });
  const select = {
    text: `select current_setting('geqo') as geqo, current_setting('statement_timeout') as most`,
  };
  const settings = [{ geqo: 'off', most: '30s' }];
  expect(await database.query(select, [])).toEqual(settings);
  expect(await database.transaction((tx) => tx.query(select, []))).toEqual(settings);
  await database.close();
});

test('a direct connection in another time zone is to the same database', async () => {
  await using db = await testDatabase();
  const sessionUrl = new URL(db.url);
  sessionUrl.searchParams.set('options', '-c timezone=Asia/Tokyo');
  const urls = { url: db.url, sessionUrl: sessionUrl.href };
  const database = await openDatabase({ ...urls, entities: [], name: 'zone' });
  await database.close();
});
