import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../apps/room/dist');

/** Bytes of compressed script. hls.js is loaded only for streams, in browsers that cannot play them. */
const budgets = { 'registration.html': 100_000, 'room.html': 250_000 };

test.each(Object.entries(budgets))('%s loads at most %i bytes of compressed script', (page, bytesMax) => {
  const files = new Set(scriptsIn(readFileSync(join(folder, page), 'utf8'), /\/room-assets\/([\w-]+\.js)/g));
  // A set that grows is read to its new end.
  for (const file of files) {
    const code = readFileSync(join(folder, file), 'utf8');
    for (const imported of scriptsIn(code, /["'`]\.\/([\w-]+\.js)["'`]/g)) files.add(imported);
  }
  const counted = [...files].filter((file) => !file.startsWith('hls'));
  expect(counted.length).toBeGreaterThan(1);
  const bytes = counted.map((file) => gzipSync(readFileSync(join(folder, file))).length);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(bytesMax);
});

const scriptsIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name!);
