import { globSync } from 'node:fs';
import { join } from 'node:path';
import { migrateService, serviceMigrations, servicePartitionedTables } from '@service/composition';
import { ensurePartitions, migrateDatabase } from '@service/database';
import { cloneTemplate, lintMigration } from '@service/database/testing';
import { changedFiles, readList } from '@service/infra/landed-migrations';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { describeSchemas } from '../support/describe-schema.ts';
import { landedMigrations, newMigrations } from '../support/landed-migrations.ts';

const modules = join(import.meta.dirname, '../../modules');

async function emptyDatabase() {
  const { url, drop } = await cloneTemplate(inject('adminUrl'), 'template0');
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  return {
    url,
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await drop();
    },
  };
}
test('a migration has the UTC time of its writing in file, class and stored name', () => {
  for (const { name, class: migration } of serviceMigrations) {
    const [, time] = /^(\d{12})(?:-[a-z0-9]+){2,}$/.exec(name) ?? [];
    expect(time, `${name} begins with no time, such as 202611251900-verb-noun`).toBeDefined();
    if (migration) expect(migration.name).toBe(`Migration${time}`);
    expect(globSync(`*/src/migrations/${name}.ts`, { cwd: modules }), name).toHaveLength(1);
  }
  const times = serviceMigrations.map(({ name }) => name.slice(0, 12));
  expect(times.filter((time, index) => times.indexOf(time) !== index)).toEqual([]);
});

test('a landed migration is never edited, and new ones run after it', () => {
  const advice =
    'Undo the edit and write a new migration: databases have the former one (infra/landed-migrations.sha256)';
  expect(changedFiles(readList()), advice).toEqual([]);
  const lastLanded = landedMigrations
    .map(({ name }) => name)
    .toSorted()
    .at(-1)!;
  expect(newMigrations.filter(({ name }) => name < lastLanded).map(({ name }) => name)).toEqual([]);
});

test('a new migration stops neither calls nor older processes', async () => {
  await using db = await emptyDatabase();
  const { url } = db;
  await migrateDatabase({ url, migrations: landedMigrations });
  const earlier = landedMigrations.map(({ name }) => name);
  const problems: string[] = [];
  for (const migration of newMigrations) {
    for (const problem of await lintMigration({ url, migration, earlier }))
      problems.push(`${migration.name}: ${problem}`);
    earlier.push(migration.name);
  }
  expect(problems).toEqual([]);
});

test('a database with partitions has the schema of a new one after the migrations that have not landed', async () => {
  await using db = await emptyDatabase();
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

test('a database of a version from before the first migrations is refused, and nothing is written', async () => {
  await using db = await emptyDatabase();
  const older = '20261124223500-postpone-events';
  await db.pool.query(`create table public.migration as select '${older}'::varchar(255) as name`);
  await expect(migrateService(db.url)).rejects.toThrow(`it has the migration ${older}, which is older`);
  const { rows } = await db.pool.query(
    `select attrelid::regclass::text || '.' || attname as name from pg_attribute join pg_class c on c.oid = attrelid
     where attnum > 0 and relkind = 'r' and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`,
  );
  expect(rows).toEqual([{ name: 'migration.name' }]);
});

test('of two processes that migrate an empty database at once, one applies everything', async () => {
  await using db = await emptyDatabase();
  const both = await Promise.all([migrateService(db.url), migrateService(db.url)]);
  expect(both.flat()).toEqual(serviceMigrations.map(({ name }) => name).toSorted());
  expect(both.filter((applied) => applied.length === 0)).toHaveLength(1);
  expect(await migrateService(db.url)).toEqual([]);
});

test('every check in the database was compared with all rows', async () => {
  await using db = await testDatabase();
  const { rows } = await db.database.pool.query(
    `select conrelid::regclass::text as table, conname as name from pg_constraint where not convalidated`,
  );
  expect(rows).toEqual([]);
});

test('the database refuses a value outside of a closed set, also in a partition', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  const insert = (table: string, columns: Record<string, unknown>) =>
    pool.query(
      `insert into ${table} (${Object.keys(columns).join(', ')})
       values (${Object.keys(columns)
         .map((_, index) => `$${index + 1}`)
         .join(', ')})`,
      Object.values(columns),
    );
  const id = '01a203bd-3120-7614-877b-e10a217a44e3';
  const call = {
    account_id: id,
    id,
    status: 200,
    replayed: false,
    key_id: id,
    key_label: '',
    duration_ms: 1,
    request_id: '',
  };
  await insert('activity.api_call', { ...call, surface: 'rest' });
  await expect(insert('activity.api_call', { ...call, surface: 'fax' })).rejects.toThrow(
    'api_call_surface_check',
  );
});

test('a new table expects few accounts, until it is analyzed', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  const accountsOf = async (table: string) => {
    const { rows } = await pool.query(
      `select n_distinct as count from pg_stats
       where schemaname = 'webinars' and tablename = $1 and attname = 'account_id'`,
      [table],
    );
    return rows;
  };
  await pool.query(`
    create table webinars.analyzed as
      select ('00000000-0000-7000-8000-' || lpad((number % 20)::text, 12, '0'))::uuid as account_id
      from generate_series(1, 1000) number;
    analyze webinars.analyzed;
    create table webinars.added (account_id uuid not null)`);
  await migrateService(db.url);
  expect(await accountsOf('added')).toEqual([{ count: 5 }]);
  expect(await accountsOf('session')).toEqual([{ count: 5 }]);
  expect(await accountsOf('analyzed')).toEqual([{ count: 20 }]);
});
