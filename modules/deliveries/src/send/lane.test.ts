import { expect, test } from 'vitest';
import { nextWindow } from './lane.ts';

const fast = { succeeded: true, durationMs: 20 };
const slow = { succeeded: true, durationMs: 3000 };
const failed = { succeeded: false, durationMs: 20 };

/** The window after so many attempts with the same end. */
function after(window: number, times: number, end: typeof fast, wasFull = true): number {
  let current = window;
  for (let count = 0; count < times; count += 1) current = nextWindow(current, end, wasFull);
  return current;
}

test('an endpoint that answers fast doubles its window each round, up to 64', () => {
  expect(after(8, 8, fast)).toBe(16);
  expect(after(8, 500, fast)).toBe(64);
});

test('a window that is not used does not grow', () => {
  expect(after(8, 100, fast, false)).toBe(8);
});

test('slow answers bring the window back to 8 and not below', () => {
  expect(after(64, 100, slow)).toBe(8);
});

test('each failure halves the window, down to 1, and successes bring it back to 8', () => {
  expect(after(64, 1, failed)).toBe(32);
  expect(after(64, 10, failed)).toBe(1);
  expect(after(1, 100, slow, false)).toBe(8);
});
