import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { nextTurn } from './long-work.ts';
import {
  createScarcity,
  currentPayer,
  threadCpuMs,
  weightOf,
  workFor,
  workForCaller,
  workForRequest,
} from './thread-time.ts';

function payer() {
  const account = { usedMs: 0, charge: (usedMs: number) => void (account.usedMs += usedMs) };
  return account;
}

/** Uses the thread for more than ten milliseconds: what short work was charged too much is taken off the next charge. */
function work(): void {
  const endMs = threadCpuMs() + 20;
  while (threadCpuMs() < endMs);
}

test('an account pays until the thread works for another one', () => {
  const [one, two] = [payer(), payer()];
  workFor(one);
  work();
  workFor(two);
  expect(one.usedMs).toBeGreaterThan(10);
  work();
  workFor(undefined);
  expect(two.usedMs).toBeGreaterThan(10);
});

test('short work counts a quarter, and longer work in proportion to its length, so that a machine that is half as fast makes no account rest', () => {
  expect([0.2, 1, 2, 3, 4, 50].map(weightOf)).toEqual([0.25, 0.25, 0.5, 0.75, 1, 1]);
  const [one, now] = [payer(), vi.spyOn(performance, 'now').mockReturnValue(0)];
  try {
    workFor(one);
    now.mockReturnValue(0.8);
    workFor(undefined);
  } finally {
    now.mockRestore();
  }
  expect(one.usedMs).toBeCloseTo(0.2);
});

test('the thread is scarce after a quarter of a second in which it worked for more than half of the time', () => {
  const thread = { nowMs: 0, idleMs: 0 };
  const isScarce = createScarcity(0.5, { readMs: () => thread.nowMs, readIdleMs: () => thread.idleMs });
  Object.assign(thread, { nowMs: 249 });
  expect(isScarce()).toBe(false);
  Object.assign(thread, { nowMs: 250, idleMs: 124 });
  expect(isScarce()).toBe(true);
  Object.assign(thread, { nowMs: 499, idleMs: 373 });
  expect(isScarce()).toBe(true);
  Object.assign(thread, { nowMs: 500, idleMs: 250 });
  expect(isScarce()).toBe(false);
});

test('the parts of long work are short, and count in full', async () => {
  const one = payer();
  workFor(one);
  const part = nextTurn(2);
  expect(one.usedMs).toBe(1);
  await part;
  workFor(undefined);
});

test('an account does not pay for time in which its work does not run', () => {
  const one = payer();
  workFor(one);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  workFor(undefined);
  expect(one.usedMs).toBeLessThan(150);
});

test('no account pays for the work of the next turn of the event loop', async () => {
  const one = payer();
  workFor(one);
  work();
  await turn();
  expect(currentPayer()).toBeUndefined();
  const { usedMs } = one;
  work();
  workFor(undefined);
  expect(one.usedMs).toBe(usedMs);
});

test('long work is paid for after each of its pauses, by the account that began it', async () => {
  const [one, two] = [payer(), payer()];
  workFor(one);
  const long = nextTurn();
  workFor(two);
  await long;
  expect(currentPayer()).toBe(one);
  workFor(undefined);
});

test('an account also pays for its request from before it was known', () => {
  const account = payer();
  workForRequest();
  const caller = currentPayer();
  work();
  workFor(undefined);
  workForCaller(account, caller);
  expect(account.usedMs).toBeGreaterThan(10);
  workFor(undefined);
});
