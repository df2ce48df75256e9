import { expect, test } from 'vitest';
import { namesAddress } from './erase-person.ts';

test.each([
  ['ann@x.com', true],
  ['To <ANN@x.com>, soon.', true],
  ['{"text":"Hello\\nann@x.com."}', true],
  ['/people/ann%40x.com?from=%20ann%40x.com', true],
  ['reg-ann@x.com', true],
  ['joann@x.com', false],
  ['jo.ann@x.com', false],
  ['ann@x.com.au', false],
  ['ann@x.company', false],
  ['annax.com', false],
])('%s names the address: %s', (text, expected) => {
  expect(namesAddress(text, 'ann@x.com')).toBe(expected);
});
