import { allScopes, allSurfaces, presets } from '@service/catalogue';
import { expect, test } from 'vitest';
import { createTestAccount, testApi } from '../support/api.ts';
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
