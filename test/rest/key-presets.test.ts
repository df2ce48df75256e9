import { allScopes, allSurfaces, presets, type Scope, type Surface } from '@service/catalogue';
import { migrateDatabase } from '@service/database';
import { keysModule } from '@service/keys';
import { expect, test } from 'vitest';
import { createTestAccount, createTestKey, testApi, type TestApi } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';

test('a key keeps the preset that it was created with, and scopes that differ from it are refused', async () => {
  await using service = await testApi();
  const dashboard = await openDashboard(service, await createTestAccount(service));
  const create = (grants: object) => dashboard.mutate('keys.create', { label: 'New', ...grants });
  const all = { scopes: allScopes, surfaces: allSurfaces };

  expect(await create({ preset: 'full' })).toMatchObject({ preset: 'full', access: 'Full access', ...all });
  expect(await create({ preset: 'read', scopes: presets.read.scopes.toReversed() })).toMatchObject({
    preset: 'read',
    access: 'Read only',
    scopes: presets.read.scopes,
  });
  expect(await create({ preset: 'full', surfaces: ['rest'] })).toMatchObject({
    preset: 'full',
    access: 'Full access, without AI Tools (MCP)',
    surfaces: ['rest'],
  });
  expect(await create({ preset: null, ...all })).toMatchObject({
    preset: null,
    access: `${allScopes.length} scopes · REST API, AI Tools (MCP)`,
  });
  for (const refused of [
    { preset: 'full', scopes: allScopes.slice(1) },
    { preset: 'read', ...all },
    { preset: 'all' },
    { preset: null, surfaces: ['rest'] },
    { scopes: ['webinars:read'] },
  ]) {
    await expect(create(refused), JSON.stringify(refused)).rejects.toThrow('validation_failed');
  }
  expect((await dashboard.query('keys.list')).map(({ access }: { access: string }) => access)).toEqual([
    `${allScopes.length} scopes · REST API, AI Tools (MCP)`,
    'Full access, without AI Tools (MCP)',
    'Read only',
    'Full access',
  ]);
});

const migration = '20261122184000-store-key-presets';

/** The scopes on the day of the migration. */
const resources = ['webinars', 'sessions', 'registrations', 'automations', 'interactions'] as const;
const formerReads = resources.map((resource): Scope => `${resource}:read`);
const formerScopes = [...formerReads, ...resources.map((resource): Scope => `${resource}:write`)];

/** The keys of a former version, with the preset that the migration must find. */
const formerKeys: { scopes: Scope[]; surfaces: Surface[]; preset: string | null }[] = [
  { scopes: formerScopes, surfaces: ['rest', 'mcp'], preset: 'full' },
  { scopes: formerScopes.toReversed(), surfaces: ['mcp', 'rest'], preset: 'full' },
  { scopes: formerReads, surfaces: ['rest', 'mcp'], preset: 'read' },
  { scopes: formerScopes, surfaces: ['rest'], preset: null },
  { scopes: formerReads, surfaces: ['mcp'], preset: null },
  { scopes: formerScopes.slice(1), surfaces: ['rest', 'mcp'], preset: null },
  { scopes: [...formerReads, 'webinars:write'], surfaces: ['rest', 'mcp'], preset: null },
  { scopes: formerReads.slice(1), surfaces: ['rest', 'mcp'], preset: null },
];

test('the migration finds the presets of keys, and every key admits exactly what it admitted', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { pool } = service.db.database;
  const keys = await Promise.all(formerKeys.map((grants) => createTestKey(service, accountId, grants)));
  await pool.query('alter table keys.api_key drop column preset');
  await pool.query('delete from public.migration where name = $1', [migration]);
  const before = await admittedBy(service, keys);
  const rows = () => pool.query(`select to_jsonb(api_key) - 'preset' as row from keys.api_key order by id`);
  const rowsBefore = (await rows()).rows;

  const options = { url: service.db.url, entities: [], migrations: keysModule.migrations };
  expect(await migrateDatabase(options)).toEqual([migration]);

  expect((await rows()).rows).toEqual(rowsBefore);
  const stored = await pool.query<{ id: string; preset: string | null }>(
    'select id, preset from keys.api_key',
  );
  const presetById = new Map(stored.rows.map(({ id, preset }) => [id, preset]));
  expect(keys.map(({ id }) => presetById.get(id))).toEqual(formerKeys.map(({ preset }) => preset));
  expect(await admittedBy(service, keys)).toEqual(before);
  expect(before.flat().length).toBeGreaterThan(0);
  await expect(pool.query(`update keys.api_key set preset = 'all'`)).rejects.toThrow('api_key_preset_check');
});

/** The surfaces and scopes with which each key is admitted. */
const admittedBy = ({ api }: TestApi, keys: readonly { key: string }[]): Promise<string[][]> =>
  Promise.all(
    keys.map(async ({ key }) => {
      const calls = allSurfaces.flatMap((surface) =>
        [[], ...allScopes.map((scope) => [scope])].map((scopes) => ({ surface, scopes })),
      );
      const admissions = await Promise.all(
        calls.map((call) => api.service.admitKey({ authorization: `Bearer ${key}`, ...call })),
      );
      return calls
        .filter((_call, index) => admissions[index])
        .map(({ surface, scopes }) => `${surface} ${scopes[0] ?? 'any key'}`);
    }),
  );
