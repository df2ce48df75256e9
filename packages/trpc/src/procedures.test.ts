import { expect, test } from 'vitest';
import { scopedMutation, scopedQuery } from './procedures.ts';

test('a route with a scope that does not exist does not compile', () => {
  const route = {
    rest: 'GET /revenue',
    tool: 'list_revenue',
    summary: 'List revenue',
    tag: 'Revenue',
  } as const;
  // @ts-expect-error -- misspelt
  expect(scopedQuery({ ...route, scope: 'webinar:read' })._def.meta?.scope).toBe('webinar:read');
  // @ts-expect-error -- no such resource
  expect(scopedMutation({ ...route, scope: 'revenu:write' })._def.meta?.scope).toBe('revenu:write');
});
