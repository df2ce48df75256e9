import { expect, test } from 'vitest';
import { findDropOffs, stepsOf } from './curve.ts';

test('a curve has at most 120 points, as many as the middles of its parts that the video has', () => {
  for (const durationSeconds of [1, 9, 10, 11, 1200, 1201, 3600, 3601, 86_399, 86_400]) {
    const { stepSeconds, count } = stepsOf(durationSeconds);
    expect(count).toBeLessThanOrEqual(120);
    expect((count - 0.5) * stepSeconds).toBeLessThan(durationSeconds);
    expect((count + 0.5) * stepSeconds).toBeGreaterThanOrEqual(durationSeconds);
  }
  expect(stepsOf(3600)).toEqual({ stepSeconds: 30, count: 120 });
  expect(stepsOf(0)).toEqual({ stepSeconds: 10, count: 0 });
});

test('the three largest falls of a curve are its drop-offs, of equal ones the earliest first', () => {
  const drop = (fromSeconds: number, viewersLost: number) => ({
    fromSeconds,
    toSeconds: fromSeconds + 10,
    viewersLost,
  });
  expect(findDropOffs([10, 8, 9, 4, 2, 0], 10)).toEqual([drop(20, 5), drop(0, 2), drop(30, 2)]);
  expect(findDropOffs([3, 3, 4], 10)).toEqual([]);
});
