import { expect, test } from 'vitest';
import { cacheSeconds } from './client-documents.ts';

test.each([
  [undefined, 600],
  ['public', 600],
  ['public, max-age=3600', 3600],
  ['MAX-AGE=60', 60],
  ['max-age=0', 0],
  ['max-age=99999999', 86_400],
  ['no-store', 0],
  ['max-age=3600, no-cache', 0],
  ['max-age=soon', 600],
])('a document with Cache-Control %s is kept for %d seconds', (cacheControl, expected) => {
  expect(cacheSeconds(cacheControl)).toBe(expected);
});
