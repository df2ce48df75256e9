import { expect, test } from 'vitest';
import { accessSummary, allScopes, presets } from './access.ts';

test('there are ten scopes, a read and a write for each of five resources', () => {
  expect(allScopes).toHaveLength(10);
  expect(allScopes.filter((scope) => scope.endsWith(':read'))).toHaveLength(5);
});

test('a key with the grants of a preset has the name of the preset as its summary, in any order', () => {
  for (const preset of presets) {
    expect(accessSummary(preset.scopes.toReversed(), preset.surfaces.toReversed())).toBe(preset.label);
  }
});

test('read only on one surface is not the Read only preset', () => {
  expect(accessSummary(presets[1]!.scopes, ['rest'])).toBe('5 scopes · REST API');
});

test('a few scopes are named, with their surfaces', () => {
  expect(accessSummary(['registrations:write'], ['rest', 'mcp'])).toBe(
    'registrations:write · REST API, AI Tools (MCP)',
  );
});
