import { allScopes, allSurfaces, presets } from '@service/catalogue';
import { expect, test } from 'vitest';
import { accessLabel, type KeyAccess } from './key-access.ts';

const both = ['rest', 'mcp'];
const reads = ['webinars:read', 'sessions:read'];
const today = [...reads, 'webinars:write'];

/** The label of a key after its preset has come to grant these scopes. */
const labelLater = (key: Omit<KeyAccess, 'surfaces'>, scopes: readonly string[]): string => {
  const granted = { scopes, surfaces: both };
  return accessLabel(
    { surfaces: both, ...key },
    { full: { label: 'Full access', ...granted }, read: { label: 'Read only', ...granted } },
  );
};

test.each([
  ['full', today, [...today], 'Full access'],
  ['full', today.toReversed(), [...today], 'Full access'],
  ['read', reads, [...reads], 'Read only'],
  // Scopes that were added after the key was created.
  ['full', today, [...today, 'revenue:read', 'revenue:write'], 'Full access, without revenue'],
  ['full', today, [...today, 'activity:read'], 'Full access, without activity'],
  ['full', today, [...today, 'sessions:write'], 'Full access, without sessions:write'],
  ['read', reads, [...reads, 'revenue:read'], 'Read only, without revenue'],
  [
    'full',
    today,
    [...today, 'sessions:write', 'revenue:read', 'revenue:write'],
    'Full access, without sessions:write and revenue',
  ],
  [
    'full',
    today,
    [...today, 'sessions:write', 'revenue:read', 'activity:read'],
    'Full access, without sessions:write, revenue and activity',
  ],
  // A scope that the preset has lost again.
  ['full', [...today, 'revenue:read'], [...today], 'Full access'],
] as const)(
  'preset %s, scopes of the key %j, present scopes of the preset %j: "%s"',
  (preset, scopes, later, label) => {
    expect(labelLater({ preset, scopes }, later)).toBe(label);
  },
);

test('a key that lacks a surface of its preset says so', () => {
  expect(accessLabel({ preset: 'full', scopes: allScopes, surfaces: ['rest'] })).toBe(
    'Full access, without AI Tools (MCP)',
  );
});

test.each([
  [['registrations:write'], both, 'registrations:write · REST API, AI Tools (MCP)'],
  [presets.read.scopes, ['rest'], `${presets.read.scopes.length} scopes · REST API`],
  [allScopes, allSurfaces, `${allScopes.length} scopes · REST API, AI Tools (MCP)`],
] as const)(
  'a key without a preset names its scopes or their number: %j on %j',
  (scopes, surfaces, label) => {
    expect(accessLabel({ preset: null, scopes, surfaces })).toBe(label);
  },
);
