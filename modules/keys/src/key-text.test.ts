import { expect, test } from 'vitest';
import { createKeyText, hashKey, keyOfHeader } from './key-text.ts';

test('a key is svc_live_ and 32 base62 characters, with its prefix, hint and hash', () => {
  const made = createKeyText();
  expect(made.key).toMatch(/^svc_live_[0-9A-Za-z]{32}$/);
  expect(made.key.startsWith(made.prefix)).toBe(true);
  expect(made.prefix).toHaveLength(13);
  expect(made.key.endsWith(made.hint)).toBe(true);
  expect(made.hash).toEqual(hashKey(made.key));
});

test('bytes that would make the first characters likelier are dropped', () => {
  let calls = 0;
  const made = createKeyText((size) => new Uint8Array(size).fill(calls++ === 0 ? 248 : 61));
  expect(made.key).toBe(`svc_live_${'z'.repeat(32)}`);
});

test('every character occurs about equally often', () => {
  const counts = new Map<string, number>();
  for (let made = 0; made < 4000; made += 1) {
    for (const character of createKeyText().key.slice(9))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  // 128,000 draws, 2,064 expected each, a standard deviation of 45: a difference of eight of them never happens by chance.
  for (const count of counts.values()) expect(Math.abs(count - 2064)).toBeLessThan(8 * 45);
});

test('a key is read only from a Bearer header with a well-formed key', () => {
  const { key } = createKeyText();
  expect(keyOfHeader(`Bearer ${key}`)).toBe(key);
  expect(keyOfHeader(`bearer ${key}`)).toBe(key);
  for (const header of [
    undefined,
    '',
    key,
    `Basic ${key}`,
    `Bearer ${key}x`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer x ${key}`,
  ]) {
    expect(keyOfHeader(header)).toBeUndefined();
  }
});
