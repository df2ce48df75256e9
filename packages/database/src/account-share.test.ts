import { expect, test } from 'vitest';
import { createAccountShare, statementLimits, threadLimits, type ShareLimits } from './account-share.ts';

function shareAt(limits: ShareLimits = threadLimits) {
  const clock = { ms: 0, isScarce: true };
  const options = { readMs: () => clock.ms, isScarce: () => clock.isScarce };
  return { clock, share: createAccountShare(limits, options) };
}

test('an account that is alone may use everything, and an account without recent use does not disturb it', () => {
  const { clock, share } = shareAt();
  share.charge('b', 5);
  clock.ms = 60_000;
  share.charge('a', 10_000);
  expect([share.restMs('a'), share.isHeavy('a')]).toEqual([0, false]);
});

test('beside others an account rests after 150 ms beyond 6 % of the thread, until its share has paid for them', () => {
  const { clock, share } = shareAt();
  share.charge('b', 60_000);
  share.charge('a', 150);
  expect(share.restMs('a')).toBe(0);
  share.charge('a', 16);
  expect(share.restMs('a')).toBeCloseTo(16 / 0.06);
  clock.ms = 267;
  expect(share.restMs('a')).toBe(0);
});

test('an account has what others leave of half a connection, and always a tenth', () => {
  const { share } = shareAt(statementLimits);
  share.charge('b', 1000);
  share.charge('a', 1015);
  // The others have used 1 s of the last 5 s, so 30 % are left.
  expect(share.restMs('a')).toBeCloseTo(15 / 0.3);
  share.charge('b', 60_000);
  expect(share.restMs('a')).toBeCloseTo(15 / 0.1);
});

test('no rest is longer than four seconds, so that the call after a costly one is not refused', () => {
  const { share } = shareAt();
  share.charge('b', 60_000);
  share.charge('a', 60_000);
  expect(share.restMs('a')).toBeCloseTo(4000);
});

test('while the thread has time, no account rests, and none has more than its burst unpaid when the time ends', () => {
  const { clock, share } = shareAt();
  share.charge('b', 60_000);
  share.charge('a', 60_000);
  clock.isScarce = false;
  expect(share.restMs('a')).toBe(0);
  share.charge('a', 60_000);
  clock.isScarce = true;
  expect(share.restMs('a')).toBe(0);
  share.charge('a', 16);
  expect(share.restMs('a')).toBeCloseTo(16 / 0.06);
});

test('an account with more than 60 ms is heavy until its share has paid for them', () => {
  const { clock, share } = shareAt();
  share.charge('b', 500);
  share.charge('a', 60);
  expect(share.isHeavy('a')).toBe(false);
  share.charge('a', 5);
  expect([share.isHeavy('a'), share.isHeavy('c')]).toEqual([true, false]);
  clock.ms = 150;
  expect(share.isHeavy('a')).toBe(false);
});

test('the use of one account never makes an ordinary account rest, also with thousands of accounts', () => {
  const { clock, share } = shareAt();
  for (let account = 0; account < 3000; account += 1) {
    clock.ms += 100;
    share.charge(`account ${account}`, account === 2999 ? 1000 : 5);
  }
  expect(share.restMs('account 2999')).toBeGreaterThan(0);
  expect(share.restMs('account 2998')).toBe(0);
  expect(share.restMs('another')).toBe(0);
});
