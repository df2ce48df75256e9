// The tolerance to the second. That the official package accepts and refuses the same is in test/revenue/stripe.test.ts, where the
// clock goes on.
import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { signStripe, verifyStripe } from './stripe.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = Buffer.from('{"id":"evt_1"}');
const signedAt = new Date('2026-11-23T12:00:00Z');
const header = signStripe(secret, { body, now: signedAt });

const verdictOf = (given: string, secondsLater: number, secrets = [secret]) =>
  verifyStripe({
    headers: { 'stripe-signature': given },
    body,
    keys: secrets.map((text) => createSecretKey(text, 'utf8')),
    now: new Date(signedAt.getTime() + secondsLater * 1000),
  });

test.each([
  [0, true],
  [300, true],
  [300.999, true],
  [301, false],
  [-300, true],
  [-301, false],
])('a header is judged %d s after its timestamp: valid is %s', (secondsLater, isValid) => {
  const expected = isValid
    ? { isValid: true, keyIndex: 0 }
    : { isValid: false, reason: 'timestamp_out_of_range' };
  expect(verdictOf(header, secondsLater)).toEqual(expected);
});

test('the key that made one of several signatures is named, also after another one', () => {
  const [time, own] = header.split(',');
  const other = `v1=${'0'.repeat(64)}`;
  expect(verdictOf(`${time},${other},${own}`, 0, ['whsec_before', secret])).toEqual({
    isValid: true,
    keyIndex: 1,
  });
});

test('the eleventh signature is not compared', () => {
  const [time, own] = header.split(',');
  const others = Array(10).fill(`v1=${'0'.repeat(64)}`);
  expect(verdictOf([time, ...others.slice(1), own].join(','), 0).isValid).toBe(true);
  expect(verdictOf([time, ...others, own].join(','), 0)).toEqual({
    isValid: false,
    reason: 'wrong_signature',
  });
});
