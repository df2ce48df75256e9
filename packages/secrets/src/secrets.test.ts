import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretBox, headLengths, keyIdOf } from './index.ts';

const newKey = () => randomBytes(32).toString('base64');

test('a sealed secret opens again and does not contain the plaintext', () => {
  const box = createSecretBox(newKey());
  const sealed = box.seal('whsec_abc', 'endpoint-1');
  expect(box.open(sealed, 'endpoint-1')).toBe('whsec_abc');
  expect(sealed).not.toContain('abc');
  expect(box.seal('whsec_abc', 'endpoint-1')).not.toBe(sealed);
});

test('a sealed secret does not open in another row', () => {
  const box = createSecretBox(newKey());
  expect(() => box.open(box.seal('whsec_abc', 'endpoint-1'), 'endpoint-2')).toThrow();
});

test('a tampered secret does not open', () => {
  const box = createSecretBox(newKey());
  const sealed = box.seal('whsec_abc', 'c');
  const bytes = Buffer.from(sealed.split('.')[2]!, 'base64url');
  bytes[14]! ^= 1;
  expect(() =>
    box.open(`${sealed.split('.').slice(0, 2).join('.')}.${bytes.toString('base64url')}`, 'c'),
  ).toThrow();
});

test('after a rotation of the key, older secrets still open and are stale', () => {
  const oldKey = newKey();
  const sealed = createSecretBox(oldKey).seal('whsec_abc', 'c');
  const box = createSecretBox(newKey(), [oldKey]);
  expect(box.open(sealed, 'c')).toBe('whsec_abc');
  expect(box.isStale(sealed)).toBe(true);
  expect(box.isStale(box.seal('x', 'c'))).toBe(false);
  const bytes = createSecretBox(oldKey).sealBytes(Buffer.from('x'), 'c');
  expect([box.isStale(bytes), box.isStale(box.sealBytes(Buffer.from('x'), 'c'))]).toEqual([true, false]);
  expect(() => createSecretBox(newKey()).open(sealed, 'c')).toThrow(/not configured/);
});

test('the head of a sealed value names its key, and other values name none', () => {
  const box = createSecretBox(newKey());
  const text = box.seal('a', 'c');
  const bytes = box.sealBytes(Buffer.from('a'), 'c');
  expect(keyIdOf(text.slice(0, headLengths.text))).toMatch(/^[0-9a-f]{8}$/);
  expect(keyIdOf(bytes.subarray(0, headLengths.bytea))).toBe(keyIdOf(text));
  expect(['', 'whsec_abc', 'v2.12345678.', Buffer.alloc(0), Buffer.alloc(20)].map(keyIdOf)).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});

test('sealed bytes open with a former key, but not with another key or context', () => {
  const oldKey = newKey();
  const secret = randomBytes(100);
  const sealed = createSecretBox(oldKey).sealBytes(secret, 'c');
  expect(createSecretBox(newKey(), [oldKey]).openBytes(sealed, 'c')).toEqual(secret);
  expect(sealed.includes(secret.subarray(0, 8))).toBe(false);
  expect(() => createSecretBox(newKey()).openBytes(sealed, 'c')).toThrow(/not configured/);
  expect(() => createSecretBox(oldKey).openBytes(sealed, 'd')).toThrow();
  sealed[sealed.length - 20]! ^= 1;
  expect(() => createSecretBox(oldKey).openBytes(sealed, 'c')).toThrow();
});
