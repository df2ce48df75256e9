import { expect, test } from 'vitest';
import { createCpuShare } from './cpu-share.ts';

function shareAt() {
  const clock = { ms: 0 };
  return { clock, cpu: createCpuShare(() => clock.ms) };
}

test('an account pauses after 250 ms beyond its share, until its share of 5 % has paid for them', () => {
  const { clock, cpu } = shareAt();
  cpu.charge('a', 250);
  expect(cpu.restMs('a')).toBe(0);
  cpu.charge('a', 10);
  expect(cpu.restMs('a')).toBe(200);
  clock.ms = 150;
  expect(cpu.restMs('a')).toBeCloseTo(50);
  clock.ms = 200;
  expect(cpu.restMs('a')).toBe(0);
});

test('no pause is longer than four seconds, so that the call after a costly one is not refused', () => {
  const { cpu } = shareAt();
  cpu.charge('a', 60_000);
  expect(cpu.restMs('a')).toBeCloseTo(4000);
});

test('an account with more than 80 ms is heavy until its share has paid for them', () => {
  const { clock, cpu } = shareAt();
  cpu.charge('a', 80);
  expect(cpu.isHeavy('a')).toBe(false);
  cpu.charge('a', 5);
  expect([cpu.isHeavy('a'), cpu.isHeavy('b')]).toEqual([true, false]);
  clock.ms = 100;
  expect(cpu.isHeavy('a')).toBe(false);
});

test('the CPU time of one account never makes another account pause, also with thousands of accounts', () => {
  const { clock, cpu } = shareAt();
  for (let account = 0; account < 3000; account += 1) {
    clock.ms += 100;
    cpu.charge(`account ${account}`, account === 2999 ? 1000 : 5);
  }
  expect(cpu.restMs('account 2999')).toBeGreaterThan(0);
  expect(cpu.restMs('account 0')).toBe(0);
  expect(cpu.restMs('another')).toBe(0);
});
