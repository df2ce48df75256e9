import { expect, expectTypeOf, test } from 'vitest';
import { allScopes, presets, resourceOf, type Scope } from './access.ts';

test('a scope that is not in the record does not compile', () => {
  // @ts-expect-error -- misspelt
  const typo: Scope = 'webinar:read';
  // @ts-expect-error -- its resource has no such action
  const action: Scope = 'webinars:delete';
  expect(allScopes).not.toContain(typo);
  expect(allScopes).not.toContain(action);
  expectTypeOf<string>().not.toExtend<Scope>();
});

test('Full access has every scope, and Read only reads every resource and changes none', () => {
  const { full, read } = presets;
  expect(full.scopes).toEqual(allScopes);
  expect(read.scopes.filter((scope) => !scope.endsWith(':read'))).toEqual([]);
  expect(new Set(read.scopes.map(resourceOf))).toEqual(new Set(allScopes.map(resourceOf)));
});
