import { allSurfaces, presets } from '@service/catalogue';
import { expect, test } from 'vitest';
import { choosePreset, presetAccess, scopeRows, toggleScope, toggleSurface } from './access.ts';

const read = presetAccess('read');

test('editing a preset by hand makes it custom, and so does undoing the edit', () => {
  expect(read).toEqual({ preset: 'read', scopes: presets.read.scopes, surfaces: allSurfaces });
  const edited = toggleScope(read, 'webinars:write');
  expect(edited).toMatchObject({ preset: null, scopes: [...presets.read.scopes, 'webinars:write'] });
  expect(toggleScope(edited, 'webinars:write')).toEqual({ ...read, preset: null });
  expect(toggleSurface(read, 'mcp')).toMatchObject({ preset: null, surfaces: ['rest'] });
});

test('custom starts with the current selection, and a preset replaces it', () => {
  expect(choosePreset(read, null)).toEqual({ ...read, preset: null });
  expect(choosePreset(read, 'full')).toEqual(presetAccess('full'));
});

test('the grid has a row for each resource, with an empty cell where the resource has no such scope', () => {
  const rows = scopeRows(['webinars:read', 'webinars:write', 'activity:read']);
  expect(rows.map(({ resource, cells }) => [resource, ...cells.map(({ scope }) => scope)])).toEqual([
    ['webinars', 'webinars:read', 'webinars:write'],
    ['activity', 'activity:read', undefined],
  ]);
});

test('a preset has only scopes that are offered', () => {
  const offered = ['webinars:read', 'webinars:write'] as const;
  expect(presetAccess('full', offered).scopes).toEqual(offered);
  expect(choosePreset(presetAccess('full', offered), 'read', offered).scopes).toEqual(['webinars:read']);
});
