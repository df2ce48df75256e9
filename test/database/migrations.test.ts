import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { migrateService, serviceMigrations } from '@service/composition';
import { migrateDatabase } from '@service/database';
import { cloneTemplate, lintMigration } from '@service/database/testing';
import { changedFiles, readList } from '@service/infra/landed-migrations';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { describeSchemas } from '../support/describe-schema.ts';
import { landedMigrations, newMigrations } from '../support/landed-migrations.ts';

const modules = join(import.meta.dirname, '../../modules');
const baselines = serviceMigrations.filter(({ replaces }) => replaces !== undefined);

/**
 * The schemas after the 72 former migrations of commit 77e66717 in PostgreSQL 18, as the MD5 of the lines of `describeSchemas`.
 * Later migrations are not in it, so it never changes.
 */
const formerSchemas = {
  accounts: '48948cdbc50b576214af5a48dc0e9a8f',
  activity: 'c5483887f38ab9579587191c65dbbc7a',
  attendees: 'b9843dc350066e295653f79e0d0ad742',
  automations: '465c5ecf8049fbc7c28c42a3ff0ab36f',
  connectors: 'a3cf500e3fa2064759d18343922ac791',
  deliveries: 'db644d51e3971c718aa948e02deacb9a',
  idempotency: 'd6809a5a8ace7e5d59512796157c5598',
  keys: 'f589dec94b2e40c8a0f91344fbc60bc9',
  revenue: '769c79a61754a6dddf89d9c551c26d9f',
  webinars: 'f4045299c4dc4505c6b2ea09e8b61377',
};

test('a migration has the UTC time of its writing in file, class and stored name, and runs after the baselines', () => {
  for (const { name, class: migration } of serviceMigrations) {
    const [, time] = /^(\d{12})(?:-[a-z0-9]+){2,}$/.exec(name) ?? [];
    expect(time, `${name} begins with no time, such as 202611251900-verb-noun`).toBeDefined();
    if (migration) expect(migration.name).toBe(`Migration${time}`);
    expect(globSync(`*/src/migrations/${name}.ts`, { cwd: modules }), name).toHaveLength(1);
  }
  const names = serviceMigrations.map(({ name }) => name).toSorted();
  expect(names.slice(0, baselines.length)).toEqual(baselines.map(({ name }) => name).toSorted());
  const times = names.map((name) => name.slice(0, 12));
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
  const { url, drop } = await cloneTemplate(inject('adminUrl'), 'template0');
  try {
    await migrateDatabase({ url, migrations: landedMigrations });
    const earlier = landedMigrations.map(({ name }) => name);
    const problems: string[] = [];
    for (const migration of newMigrations) {
      for (const problem of await lintMigration({ url, migration, earlier }))
        problems.push(`${migration.name}: ${problem}`);
      earlier.push(migration.name);
    }
    expect(problems).toEqual([]);
  } finally {
    await drop();
  }
});

test('the baselines create exactly what the former migrations created', async () => {
  const { url, drop } = await cloneTemplate(inject('adminUrl'), 'template0');
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await migrateDatabase({ url, migrations: baselines });
    const schemas = await describeSchemas(pool);
    const hashes = [...schemas].map(([name, lines]) => [
      name,
      createHash('md5').update(lines.join('\n')).digest('hex'),
    ]);
    expect(Object.fromEntries(hashes), JSON.stringify([...schemas], null, 1)).toEqual(formerSchemas);
  } finally {
    await pool.end();
    await drop();
  }
});

test('of two processes that migrate an empty database at once, one applies everything', async () => {
  const { url, drop } = await cloneTemplate(inject('adminUrl'), 'template0');
  try {
    const both = await Promise.all([migrateService(url), migrateService(url)]);
    expect(both.flat()).toEqual(serviceMigrations.map(({ name }) => name).toSorted());
    expect(both.filter((applied) => applied.length === 0)).toHaveLength(1);
    expect(await migrateService(url)).toEqual([]);
  } finally {
    await drop();
  }
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
