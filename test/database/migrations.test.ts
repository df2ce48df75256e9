import { globSync } from 'node:fs';
import { join } from 'node:path';
import { migrateService, serviceMigrations } from '@service/composition';
import { expect } from 'vitest';
import { test } from '../support/database-test.ts';

/** From before names had the time. They are stored in every database, so they never change. */
const formerNames = [
  '20261120-accounts-create',
  '20261120-activity-create-api-call',
  '20261120-activity-extend-api-call',
  '20261120-automations-create',
  '20261120-automations-rules-over-the-api',
  '20261120-deliveries-create-deliveries',
  '20261120-deliveries-redelivery',
  '20261120-deliveries-redelivery-recovery',
  '20261120-deliveries-scheduling',
  '20261120-idempotency-create-kept-answer',
  '20261120-keys-create-api-key',
  '20261120-keys-create-rate-window',
  '20261120-webinars-create',
  '20261120-webinars-create-interaction',
  '20261120-webinars-extend-registrations',
  '20261120-webinars-extend-webinars',
  '20261121-automations-fire-once',
  '20261121-webinars-create-attendance',
  '20261122-accounts-create-call-windows',
  '20261122-accounts-create-suspension',
  '20261122-activity-add-key-creator',
  '20261122-deliveries-create-suspended-account',
  '20261122-idempotency-count-kept-bytes',
  '20261122-keys-add-creator',
  '20261122-keys-create-suspended-account',
  '20261122-limit-sign-in',
  '20261122-webinars-count-registrations',
  '20261122-webinars-months-of-events',
  '202611221500-attendees-create',
  '202611221501-attendees-remember-views',
];

const modules = join(import.meta.dirname, '../../modules');

test('a migration has the UTC time of its writing in file, class and stored name, and runs after all earlier ones', () => {
  const names = serviceMigrations.map(({ name }) => name);
  expect(names.filter((name) => formerNames.includes(name)).toSorted()).toEqual(formerNames);
  const added = serviceMigrations.filter(({ name }) => !formerNames.includes(name));
  for (const { name, class: migration } of added) {
    const [, time] = /^(\d{14})(?:-[a-z0-9]+){2,}$/.exec(name) ?? [];
    expect(time, `${name} begins with no time, such as 20261122190000-verb-noun`).toBeDefined();
    expect(migration.name).toBe(`Migration${time}`);
    expect(globSync(`*/src/migrations/${name}.ts`, { cwd: modules }), name).toHaveLength(1);
    expect(name > formerNames.at(-1)!, name).toBe(true);
  }
  const times = added.map(({ name }) => name.slice(0, 14));
  expect(times.filter((time, index) => times.indexOf(time) !== index)).toEqual([]);
});

test('every check in the database was compared with all rows', async ({ db }) => {
  const { rows } = await db.database.pool.query(
    `select conrelid::regclass::text as table, conname as name from pg_constraint where not convalidated`,
  );
  expect(rows).toEqual([]);
});

test('the database refuses a value outside of a closed set, also in a partition', async ({ pool }) => {
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

test('a new table expects few accounts, until it is analyzed', async ({ db, pool }) => {
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
