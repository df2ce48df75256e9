import { expect, test } from 'vitest';
import type { KeyOptions } from '../../trpc.ts';
import { choosePreset, scopeRows, toggleScope, toggleSurface, type Access } from './access.ts';

const options: KeyOptions = {
  scopes: [
    { id: 'webinars:read', description: '' },
    { id: 'webinars:write', description: '' },
    { id: 'sessions:read', description: '' },
  ],
  surfaces: [
    { id: 'rest', label: 'REST API' },
    { id: 'mcp', label: 'AI Tools (MCP)' },
  ],
  presets: [
    {
      id: 'full',
      label: 'Full access',
      scopes: ['webinars:read', 'webinars:write', 'sessions:read'],
      surfaces: ['rest', 'mcp'],
    },
    { id: 'read', label: 'Read only', scopes: ['webinars:read', 'sessions:read'], surfaces: ['rest', 'mcp'] },
  ],
};
const none: Access = { preset: 'custom', scopes: [], surfaces: [] };

test('editing a preset by hand makes it custom, and so does undoing the edit', () => {
  const read = choosePreset(none, 'read', options);
  expect(read).toEqual({
    preset: 'read',
    scopes: ['webinars:read', 'sessions:read'],
    surfaces: ['rest', 'mcp'],
  });
  const edited = toggleScope(read, 'webinars:write');
  expect(edited).toMatchObject({
    preset: 'custom',
    scopes: ['webinars:read', 'sessions:read', 'webinars:write'],
  });
  expect(toggleScope(edited, 'webinars:write').preset).toBe('custom');
  expect(toggleSurface(read, 'mcp')).toMatchObject({ preset: 'custom', surfaces: ['rest'] });
});

test('custom starts with the current selection', () => {
  const read = choosePreset(none, 'read', options);
  expect(choosePreset(read, 'custom', options)).toEqual({ ...read, preset: 'custom' });
});

test('the grid has a row per resource', () => {
  expect(scopeRows(options).map(({ resource, scopes }) => [resource, scopes.length])).toEqual([
    ['webinars', 2],
    ['sessions', 1],
  ]);
});
