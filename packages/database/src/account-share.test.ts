import { expect, test } from 'vitest';
import { createAccountShare, threadLimits } from './account-share.ts';

function shareAt() {
  const clock = { ms: 0 };
  return { clock, share: createAccountShare(threadLimits, () => clock.ms) };
}

test('an account that is alone may use everything, and an account without recent use does not disturb it', () => {
  const { clock, share } = shareAt();
  share.charge('b', 5);
  clock.ms = 60_000;
  share.charge('a', 10_000);
  expect([share.restMs('a'), share.isHeavy('a')]).toEqual([0, false]);
});

test('beside others an account rests after 150 ms beyond its share, until what they leave of 10 % has paid for them', () => {
  const { clock, share } = shareAt();
  share.charge('b', 125);
  share.charge('a', 150);
  expect(share.restMs('a')).toBe(0);
  share.charge('a', 15);
  // The others have used 125 ms of the last 5 s, so 7.5 % are left.
  expect(share.restMs('a')).toBeCloseTo(15 / 0.075);
  clock.ms = 201;
  expect(share.restMs('a')).toBe(0);
});

test('an account always has 5 %, or 2 % while its calls wait for each other', () => {
  const { clock, share } = shareAt();
  share.charge('b', 60_000);
  share.charge('a', 160);
  expect(share.restMs('a')).toBeCloseTo(10 / 0.05);
  share.press('a');
  expect(share.restMs('a')).toBeCloseTo(10 / 0.02);
  clock.ms = 1000;
  share.charge('a', 120);
  expect(share.restMs('a')).toBeCloseTo(80 / 0.05);
});

test('no rest is longer than four seconds, so that the call after a costly one is not refused', () => {
  const { share } = shareAt();
  share.charge('b', 60_000);
  share.charge('a', 60_000);
  expect(share.restMs('a')).toBeCloseTo(4000);
});

test('an account with more than 60 ms is heavy until its share has paid for them', () => {
  const { clock, share } = shareAt();
  share.charge('b', 500);
  share.charge('a', 60);
  expect(share.isHeavy('a')).toBe(false);
  share.charge('a', 5);
  expect([share.isHeavy('a'), share.isHeavy('c')]).toEqual([true, false]);
  clock.ms = 100;
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
