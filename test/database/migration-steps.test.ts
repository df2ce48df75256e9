// Migrations on a table with partitions and rows, while others read and write it.
import { closedSet, migrateDatabase, type MigrationEntry } from '@service/database';
import { cloneTemplate } from '@service/database/testing';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { describeSchemas } from '../support/describe-schema.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting, lockRows } from '../support/lock-rows.ts';

type Steps = NonNullable<MigrationEntry['steps']>;

/** A table with two partitions and notes of these kinds, one each for the ids 0, 1, 2 and so on. */
async function notes(...kinds: string[]) {
  const { url, drop } = await cloneTemplate(inject('adminUrl'), 'template0');
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  await pool.query(`
    create schema log;
    create table log.note (id int, kind text, constraint note_pkey primary key (id)) partition by range (id);
    create table log.note_10 partition of log.note for values from (0) to (10);
    create table log.note_default partition of log.note default`);
  await pool.query(
    'insert into log.note select number - 1, kind from unnest($1::text[]) with ordinality as n (kind, number)',
    [kinds],
  );
  const reports: string[] = [];
  let lastId = 99;
  return {
    pool,
    reports,
    migrate: (steps: Steps, { lockWaitMaxMs = 60_000 } = {}) =>
      migrateDatabase({
        url,
        migrations: [{ name: '299901010000-change-notes', steps }],
        report: (line) => reports.push(line),
        lockWaitMaxMs,
      }),
    write: (kind: string | null) => pool.query('insert into log.note values ($1, $2)', [(lastId += 1), kind]),
    read: async (text: string) => (await pool.query(text)).rows,
    schema: async () => (await describeSchemas(pool)).get('log'),
    async [Symbol.asyncDispose]() {
      await pool.end();
      await drop();
    },
  };
}

const kindSet = (...values: string[]): Steps => [closedSet('log.note', 'kind', values)];
const kindIndex: Steps = [{ index: { table: 'log.note', name: 'note_kind_index', on: '(kind)' } }];

/** Every index of `kindIndex`, with whether it is valid. */
const indexes = `
  select c.relname as name, indisvalid as valid from pg_index join pg_class c on c.oid = indexrelid
  where c.relname ~ 'kind' order by 1`;
const builtIndexes = ['note_10_kind_index', 'note_default_kind_index', 'note_kind_index'].map((name) => ({
  name,
  valid: true,
}));

test('after the migration the table refuses values outside of a closed set, and takes null', async () => {
  await using log = await notes('good');
  expect(await log.migrate(kindSet('good', 'bad'))).toEqual(['299901010000-change-notes']);
  expect(await log.migrate(kindSet('good', 'bad'))).toEqual([]);
  await log.write('bad');
  await log.write(null);
  await expect(log.write('ugly')).rejects.toThrow('note_kind_check');
});

test('a migration that found a row outside of the set runs again and succeeds when the row is corrected', async () => {
  await using log = await notes('good', 'ugly');
  await expect(log.migrate(kindSet('good', 'bad'))).rejects.toThrow('note_kind_check');
  await log.pool.query(`update log.note set kind = 'bad' where kind = 'ugly'`);
  expect(await log.migrate(kindSet('good', 'bad'))).toHaveLength(1);
  expect(
    await log.read(`
      select count(*)::int as checks, bool_and(convalidated) as valid from pg_constraint where conname = 'note_kind_check'`),
  ).toEqual([{ checks: 3, valid: true }]);
});

test('a migration waits for a long reader and says so, and other statements do not wait behind it', async () => {
  await using log = await notes('good');
  await using reader = await lockRows(log.pool, 'select from log.note', []);
  const migrated = log.migrate([{ sql: 'alter table log.note add column text text' }]);
  const waited =
    /^Step 1 of 299901010000-change-notes has waited .* The oldest transaction with locks is of "/;
  await eventually('the report', () => log.reports.some((line) => waited.test(line)));
  await eventually('a wait', async () => (await countWaiting(log.pool, '%alter table%')) === 1);
  for (let written = 0; written < 20; written += 1) await log.write('good');
  await reader.release();
  expect(await migrated).toHaveLength(1);
});

test('a migration that waits too long for a lock fails, and can be run again', async () => {
  await using log = await notes('good');
  const steps: Steps = [{ sql: 'alter table log.note add column text text' }];
  await using reader = await lockRows(log.pool, 'select from log.note', []);
  await expect(log.migrate(steps, { lockWaitMaxMs: 0 })).rejects.toThrow(
    /Step 1 of 299901010000-change-notes has waited for a lock for \d+ s, and ends now\. .* Run it again/,
  );
  await reader.release();
  expect(await log.migrate(steps)).toHaveLength(1);
});

test('a migration that waits too long for another migrator fails, and names it', async () => {
  await using log = await notes('good');
  const steps: Steps = [{ sql: 'alter table log.note add column text text' }];
  await using reader = await lockRows(log.pool, 'select from log.note', []);
  const first = log.migrate(steps);
  await eventually('the first one to wait', () => log.reports.some((line) => line.startsWith('Step 1')));
  await expect(log.migrate(steps, { lockWaitMaxMs: 0 })).rejects.toThrow(
    /^This migration has waited .* Another process migrates this database: the connection is of "migrate", process \d+, open for \d+ s\./,
  );
  await reader.release();
  expect(await first).toHaveLength(1);
});

test('an index of a partitioned table is built while the table is written, by one of two processes', async () => {
  await using log = await notes('good');
  await using writer = await lockRows(log.pool, `insert into log.note_10 values (5, 'good')`, []);
  const migrated = Promise.all([log.migrate(kindIndex), log.migrate(kindIndex)]);
  await eventually('the build to wait', async () => (await countWaiting(log.pool, '%concurrently%')) === 1);
  await log.write('good');
  await writer.release();
  expect((await migrated).flat()).toHaveLength(1);
  expect(await log.read(indexes)).toEqual(builtIndexes);
});

test('an index whose build was killed is built again', async () => {
  await using log = await notes('good');
  await using writer = await lockRows(log.pool, `insert into log.note_10 values (5, 'good')`, []);
  const migrated = log.migrate(kindIndex);
  migrated.catch(() => undefined);
  await eventually('the build to wait', async () => (await countWaiting(log.pool, '%concurrently%')) === 1);
  await log.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'migrate'`,
  );
  await expect(migrated).rejects.toThrow();
  await writer.release();
  expect(await log.read(indexes)).toContainEqual({ name: 'note_10_kind_index', valid: false });
  expect(await log.migrate(kindIndex)).toHaveLength(1);
  expect(await log.read(indexes)).toEqual(builtIndexes);
});

test('a backfill changes each row once, also when it was interrupted between two batches', async () => {
  await using log = await notes(...Array.from({ length: 25 }, (_, id) => `${id}`));
  const steps: Steps = [
    {
      backfill: {
        table: 'log.note',
        rowsMax: 4,
        change: `update log.note n set kind = n.kind || '!' from batch b where n.id = b.id`,
      },
    },
  ];
  await log.pool.query('alter table log.note add constraint stop check (id <> 14 or kind = $$14$$)');
  await expect(log.migrate(steps)).rejects.toThrow('stop');
  expect(await log.read(`select count(*)::int as changed from log.note where kind like '%!'`)).toEqual([
    { changed: 12 },
  ]);
  await log.pool.query('alter table log.note drop constraint stop');
  expect(await log.migrate(steps)).toHaveLength(1);
  expect(await log.read('select id from log.note where kind <> id || $$!$$')).toEqual([]);
  expect(log.reports.at(-1)).toBe('The backfill of log.note: done, 13 rows in this run');
});

/** One step of each kind, and the way to a column that is not null. */
const everyKind: Steps = [
  { sql: 'alter table log.note add column text text; create table log.tag (id int primary key)' },
  {
    backfill: {
      table: 'log.note',
      change: `update log.note n set text = 'text of ' || n.id from batch b where n.id = b.id`,
    },
  },
  { constraint: { table: 'log.note', name: 'note_text_check', definition: 'check (text is not null)' } },
  {
    sql: `alter table log.note alter column text set not null;
      alter table log.note drop constraint note_text_check`,
  },
  { index: { table: 'log.note', name: 'note_text_index', on: '(text, id)', isUnique: true } },
];

test('a migration that is killed at any of its changes of the schema is continued and ends in the same schema', async () => {
  await using unharmed = await notes('good', 'good');
  await unharmed.migrate(everyKind);
  const [schema, rows] = [await unharmed.schema(), await unharmed.read('select * from log.note order by id')];
  for (let change = 1, isKilled = true; isKilled; change += 1) {
    await using log = await notes('good', 'good');
    await log.pool.query(`
      create sequence public.change;
      create function public.kill() returns event_trigger language plpgsql as $$ begin
        if current_setting('application_name') = 'migrate' and nextval('public.change') = ${change} then
          perform pg_terminate_backend(pg_backend_pid());
          perform pg_sleep(10);
        end if;
      end $$;
      create event trigger kill on ddl_command_end execute function public.kill()`);
    isKilled = await log.migrate(everyKind).then(
      () => false,
      () => true,
    );
    await log.pool.query('drop event trigger kill');
    expect(await log.migrate(everyKind), `change ${change}`).toHaveLength(isKilled ? 1 : 0);
    expect(await log.schema(), `change ${change}`).toEqual(schema);
    expect(await log.read('select * from log.note order by id')).toEqual(rows);
    if (!isKilled) expect(change).toBeGreaterThan(10);
  }
});
