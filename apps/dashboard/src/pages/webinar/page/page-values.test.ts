import { expect, test } from 'vitest';
import { labelToKey } from './page-values.ts';

test.each([
  ['Company', 'company'],
  ['  Company size? ', 'company_size'],
  ['Größe der Firma', 'gro_e_der_firma'],
  ['2nd phone', 'nd_phone'],
  ['会社', 'field'],
  ['a'.repeat(60), 'a'.repeat(40)],
])('the label %j makes the key %s', (label, key) => {
  expect(labelToKey(label, new Set())).toBe(key);
});

test('a key that another field has gets a number', () => {
  expect(labelToKey('Company', new Set(['company', 'company_2']))).toBe('company_3');
});
