import { expect, test } from 'vitest';
import { waitBefore } from './retry-schedule.ts';

const schedule = [0, 5, 30];

test('the first try does not wait, whatever the random number', () => {
  expect(waitBefore(1, schedule, 0)).toBe(0);
  expect(waitBefore(1, schedule, 0.999)).toBe(0);
});

test('later tries wait as long as scheduled, 20 % less to 20 % more', () => {
  expect(waitBefore(2, schedule, 0.5)).toBeCloseTo(5);
  expect(waitBefore(3, schedule, 0)).toBeCloseTo(24);
  expect(waitBefore(3, schedule, 1)).toBeCloseTo(36);
});

test('there are as many tries as the schedule has entries', () => {
  expect(waitBefore(3, schedule, 0.5)).toBeDefined();
  expect(waitBefore(4, schedule, 0.5)).toBeUndefined();
});
