import { expect, test } from 'vitest';
import { createSlug, nameToSlug } from './slug.ts';

test('a slug keeps letters and digits, folds accents and has no loose dashes', () => {
  expect(nameToSlug('  Zoë’s  Café 24! ')).toBe('zoe-s-cafe-24');
  expect(nameToSlug('日本語')).toBe('workspace');
  expect(nameToSlug(`${'x'.repeat(39)} y`)).toBe('x'.repeat(39));
});

test('two workspaces with one name have different slugs', () => {
  expect(createSlug('Acme')).toMatch(/^acme-[0-9a-f]{8}$/);
  expect(createSlug('Acme')).not.toBe(createSlug('Acme'));
});
