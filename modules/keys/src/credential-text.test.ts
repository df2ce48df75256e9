import { expect, test } from 'vitest';
import { accessTokenText, credentialText, keyText } from './credential-text.ts';

test('a credential is its prefix and 32 base62 characters', () => {
  expect(keyText.create()).toMatch(/^svc_live_[0-9A-Za-z]{32}$/);
  expect(accessTokenText.create()).toMatch(/^svc_at_[0-9A-Za-z]{32}$/);
});

test('bytes that would make the first characters likelier are dropped', () => {
  let calls = 0;
  const text = keyText.create((size) => new Uint8Array(size).fill(calls++ === 0 ? 248 : 61));
  expect(text).toBe(`svc_live_${'z'.repeat(32)}`);
});

test('every character occurs about equally often', () => {
  const counts = new Map<string, number>();
  for (let made = 0; made < 4000; made += 1) {
    for (const character of keyText.create().slice(9))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  // 128,000 draws, 2,064 expected each, a standard deviation of 45: a difference of eight of them never happens by chance.
  for (const count of counts.values()) expect(Math.abs(count - 2064)).toBeLessThan(8 * 45);
});

test('a credential is read only from a Bearer header with a well-formed one of its kind', () => {
  const text = credentialText('svc_kind_');
  const credential = text.create();
  expect(text.ofHeader(`Bearer ${credential}`)).toBe(credential);
  expect(text.ofHeader(`bearer ${credential}`)).toBe(credential);
  for (const header of [
    undefined,
    '',
    credential,
    `Basic ${credential}`,
    `Bearer ${credential}x`,
    `Bearer ${credential.slice(0, -1)}`,
    `Bearer x ${credential}`,
    `Bearer ${keyText.create()}`,
    `Bearer ${accessTokenText.create()}`,
  ]) {
    expect(text.ofHeader(header)).toBeUndefined();
  }
});
