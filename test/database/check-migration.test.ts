import { CheckMigration, migrateDatabase } from '@service/database';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting } from '../support/lock-rows.ts';

class Migration29990101000000 extends CheckMigration {
  override readonly sets = [{ table: 'log.note', column: 'kind', values: ['good', 'bad'] }];
}

const migrations = [{ name: '29990101000000-check-note', class: Migration29990101000000 }];

/** A table with one partition and notes of these kinds. */
async function notes(...kinds: string[]) {
  const db = await testDatabase();
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  await client.query(`
    create schema log;
    create table log.note (id int, kind text) partition by list (id);
    create table log.note_1 partition of log.note default`);
  await client.query('insert into log.note select 1, unnest($1::text[])', [kinds]);
  return {
    client,
    pool: db.database.pool,
    migrate: () => migrateDatabase({ url: db.url, entities: [], migrations }),
    write: (kind: string | null) => client.query('insert into log.note values (1, $1)', [kind]),
    async [Symbol.asyncDispose]() {
      await client.end();
      await db[Symbol.asyncDispose]();
    },
  };
}

test('after the migration the table refuses values outside of the set, and takes null', async () => {
  await using log = await notes('good');
  expect(await log.migrate()).toEqual(['29990101000000-check-note']);
  expect(await log.migrate()).toEqual([]);
  await log.write('bad');
  await log.write(null);
  await expect(log.write('ugly')).rejects.toThrow('note_kind_check');
});

test('a migration that found a row outside of the set runs again and succeeds when the row is corrected', async () => {
  await using log = await notes('good', 'ugly');
  await expect(log.migrate()).rejects.toThrow('note_kind_check');
  await log.client.query(`update log.note set kind = 'bad' where kind = 'ugly'`);
  expect(await log.migrate()).toEqual(['29990101000000-check-note']);
  const { rows } = await log.client.query(
    `select count(*)::int as checks, bool_and(convalidated) as valid from pg_constraint where conname = 'note_kind_check'`,
  );
  expect(rows).toEqual([{ checks: 2, valid: true }]);
});

test('the migration waits for a long reader, and other statements do not wait behind it until then', async () => {
  await using log = await notes('good');
  const { client } = log;
  await client.query('begin');
  await client.query('select from log.note');
  const migrated = log.migrate();
  await eventually(
    'the migration waits for the lock',
    async () => (await countWaiting(log.pool, '%log.note%')) === 1,
  );
  for (let written = 0; written < 20; written += 1)
    await log.pool.query(`insert into log.note values (1, 'good')`);
  await client.query('commit');
  expect(await migrated).toEqual(['29990101000000-check-note']);
});
