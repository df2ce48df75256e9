import { expect, test } from 'vitest';
import { createSlug } from './workspace.ts';

test.each([
  ['  Zoë’s  Café 24! ', 'zoes-cafe-24'],
  ['Zoë & Søn', 'zoe-and-son'],
  ['日本語', 'workspace'],
  [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
])('the slug of %j is %s with a random end', (name, slug) => {
  expect(createSlug(name)).toMatch(new RegExp(`^${slug}-[0-9a-f]{8}$`));
});

test('two workspaces with one name have different slugs', () => {
  expect(createSlug('Acme')).not.toBe(createSlug('Acme'));
});
