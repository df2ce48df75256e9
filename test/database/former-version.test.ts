// A database with all former migrations and rows in nearly every table. The version of 2026-11-22 has written most of them, and the
// former migrations have changed them since. No worker runs here, so nothing in it becomes too old.
import { readFile } from 'node:fs/promises';
import {
  migrateService,
  serviceEntities,
  serviceMigrations,
  servicePartitionedTables,
} from '@service/composition';
import {
  closedSet,
  ensurePartitions,
  findSchemaProblem,
  migrateDatabase,
  openDatabase,
  type MigrationEntry,
} from '@service/database';
import { cloneTemplate } from '@service/database/testing';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { callRest, testApi } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { describeSchemas } from '../support/describe-schema.ts';
import { landedMigrations } from '../support/landed-migrations.ts';

/** Each line is a table and one of its rows. */
const rowsFile = new URL('former-version/rows-20261125.jsonl', import.meta.url);

/** Ids of the rows. The key has full access. */
const key = 'svc_live_IShvouWJedbfw2C9vZEXzO4O0xFpGkhE';
const encryptionKey = 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=';
const adaptive = '01a203bd-3120-7614-877b-e10a217a44e3';
const standard = '01a203bd-4c8a-74e8-8d73-0376e75f8ba7';
const [offer, poll] = ['01a203bd-35ce-7577-bb51-1ec4ca24b29b', '01a203bd-375b-70a1-a469-5cbca20e7fb2'];
const ada = '01a203bd-4092-73fb-8282-c9563f73a4b5';
const joinPath = '/room/AaIDvSiBcoCb1_ZYiLjHHAGiA71AknP7goLJVj9zpLUAAAABnCbIbRHzmmPDaE412B1X7Q';

const baselines = serviceMigrations.filter(({ replaces }) => replaces !== undefined);
const baselineNames = baselines.map(({ name }) => name);
/** The last one of each module, and one before them. */
const formerNames = ['20261120-accounts-create', ...baselines.map(({ replaces }) => replaces!)];

const migrate = (url: string, ...later: MigrationEntry[]) =>
  migrateDatabase({ url, migrations: [...baselines, ...later] });

/** A database in which the former migrations ran. */
async function createFormerDatabase() {
  const { url, drop } = await cloneTemplate(inject('adminUrl'), 'template0');
  await migrate(url);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // Rows are inserted in any order.
  await pool.query('set session_replication_role = replica');
  const lines = (await readFile(rowsFile, 'utf8')).trim().split('\n');
  for (const line of lines) {
    const { table, row } = JSON.parse(line) as { table: string; row: object };
    await pool.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, [row]);
  }
  await pool.query('delete from public.migration');
  await pool.query('insert into public.migration (name) select unnest($1::text[])', [formerNames]);
  return {
    url,
    pool,
    applied: async () => {
      const { rows } = await pool.query<{ name: string }>('select name from public.migration');
      return rows.map(({ name }) => name).toSorted();
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await drop();
    },
  };
}

/** The rows of every table, those of partitions under the name of their table, and the tables themselves. */
async function readTables(pool: pg.Pool): Promise<Map<string, string[]>> {
  const { rows: tables } = await pool.query<{ name: string; table: string }>(
    `select n.nspname || '.' || c.relname as name, c.oid::regclass::text as table
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const rowsByTable = new Map<string, string[]>();
  for (const { name, table } of tables) {
    const { rows } = await pool.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t order by 1`,
    );
    rowsByTable.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return rowsByTable;
}

test('a database with all former migrations has the baselines instead, and keeps every row', async () => {
  await using db = await createFormerDatabase();
  const before = await readTables(db.pool);
  expect(before.get('attendees.registration')!.length).toBeGreaterThan(10);
  expect(await findSchemaProblem(db.pool, baselines)).toMatchObject({ pending: baselineNames.toSorted() });

  expect(await migrate(db.url)).toEqual([]);
  expect(await db.applied()).toEqual(baselineNames.toSorted());
  const after = await readTables(db.pool);
  for (const tables of [before, after])
    for (const records of ['public.migration', 'public.migration_progress']) tables.delete(records);
  expect(after).toEqual(before);
});

test('later migrations run as usual, also when two processes migrate at once', async () => {
  await using db = await createFormerDatabase();
  const later: MigrationEntry = {
    name: '299901010000-check-time-zone',
    steps: [closedSet('accounts.setting', 'time_zone', ['UTC'])],
  };
  const both = await Promise.all([migrate(db.url, later), migrate(db.url, later)]);
  expect(both.flat()).toEqual([later.name]);
  expect(await db.applied()).toEqual([...baselineNames, later.name].toSorted());
});

test('a database with a part of the former migrations is refused, and nothing is written', async () => {
  const { url, drop } = await cloneTemplate(inject('adminUrl'), 'template0');
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await pool.query('create table public.migration (name varchar(255))');
    for (const missing of formerNames.slice(1)) {
      const names = formerNames.filter((name) => name !== missing);
      await pool.query('truncate public.migration');
      await pool.query('insert into public.migration select unnest($1::text[])', [names]);
      const before = await readTables(pool);
      await expect(migrateService(url)).rejects.toThrow(
        /before commit [0-9a-f]{8}\..* with an empty database/,
      );
      expect(await readTables(pool)).toEqual(before);
    }
  } finally {
    await pool.end();
    await drop();
  }
});

test('an upgraded database with rows and partitions has the schema of a new one', async () => {
  await using db = await createFormerDatabase();
  await migrateDatabase({ url: db.url, migrations: landedMigrations });
  // Tables of migrations that have not landed do not exist yet.
  const { rows } = await db.pool.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [servicePartitionedTables.map(({ schema, table }) => `${schema}.${table}`)],
  );
  const names = new Set(rows.map(({ name }) => name));
  const tables = servicePartitionedTables.filter(({ schema, table }) => names.has(`${schema}.${table}`));
  await ensurePartitions(db.pool, tables, { now: new Date(), daysAhead: 1 });
  await migrateService(db.url);
  await using created = await testDatabase();
  expect(await describeSchemas(db.pool)).toEqual(await describeSchemas(created.database.pool));
});

test('the API reads and changes what the former version wrote', async () => {
  await using db = await createFormerDatabase();
  await migrateService(db.url);
  const database = await openDatabase({ url: db.url, entities: serviceEntities, name: 'test' });
  const closing = { database, url: db.url, [Symbol.asyncDispose]: async () => undefined };
  const service = await testApi({ shared: closing, options: { encryptionKey } });
  const call = async (route: string, webinarId: string = adaptive) => {
    const answer = await callRest(service, route.replace(' .', ` /webinars/${webinarId}`), { key });
    expect(answer.status, `${route}: ${answer.text}`).toBe(200);
    return answer.json.data;
  };
  try {
    expect(await call('GET .')).toMatchObject({
      title: 'Adaptive',
      status: 'published',
      slug: expect.stringMatching(/^adaptive-[b-z2-9]{6}$/),
    });
    expect(await call(`GET ./registrations/${ada}`)).toMatchObject({
      name: 'Ada',
      status: 'attended',
      customFields: { company: 'Engines' },
      attendance: { watchedSeconds: 300 },
    });
    const timeline = (await call(`GET ./registrations/${ada}/events?limit=100`)) as { type: string }[];
    expect(timeline.map(({ type }) => type).toReversed()).toEqual([
      'registered',
      'joined',
      'cta_click',
      'poll_response',
      'chat_response',
      'watched_minutes',
      'video_complete',
      'segment_completed',
      'branch_taken',
      'left',
    ]);
    expect(await call(`GET ./interactions/${offer}/stats`)).toMatchObject({ clicks: 1, uniqueClickers: 1 });
    expect(await call(`GET ./polls/${poll}/responses`)).toHaveLength(2);
    const visit = await fetch(`${service.baseUrl}${joinPath}/visits`, { method: 'POST' });
    // The link is valid, and its session is over.
    expect([visit.status, await visit.json()]).toMatchObject([410, { code: 'session_ended' }]);
    const page = await fetch(service.baseUrl + joinPath, { headers: { Accept: 'application/json' } });
    expect(await page.json()).toMatchObject({ data: { phase: 'ended', attendee: { name: 'Ada' } } });

    const full = async () =>
      ((await call('GET ./sessions', standard)) as { id: string; registrationCount: number }[]).find(
        ({ registrationCount }) => registrationCount > 1,
      )!;
    const { id, registrationCount } = await full();
    expect(registrationCount).toBe(3);
    const [registration] = await call(`GET ./registrations?sessionId=${id}&status=registered`, standard);
    await call(`POST ./registrations/${registration.id}/cancel`, standard);
    expect((await full()).registrationCount).toBe(2);
  } finally {
    await service[Symbol.asyncDispose]();
    await database.close();
  }
});
