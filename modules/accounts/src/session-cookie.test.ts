import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSessionCookieReader } from './session-cookie.ts';

const secret = 'a secret of the test';
const read = createSessionCookieReader('s.session_token', secret);
const signed = (token: string, key = secret) =>
  encodeURIComponent(`${token}.${createHmac('sha256', key).update(token).digest('base64')}`);

test('a token with a valid signature is read from several cookies', () => {
  expect(read(`a=1; s.session_token=${signed('abc')}; xs.session_token=no`)).toBe('abc');
});

test('a forged, truncated, unsigned or malformed cookie has no token', () => {
  for (const value of [
    signed('abc', 'another secret'),
    signed('abc').replace('abc', 'abd'),
    signed('abc').slice(0, -6),
    'abc',
    'abc.',
    '.',
    '%E0%A4%A',
    '',
  ]) {
    expect(read(`s.session_token=${value}`)).toBeUndefined();
  }
  expect(read(undefined)).toBeUndefined();
  expect(read('s.session_token')).toBeUndefined();
});
