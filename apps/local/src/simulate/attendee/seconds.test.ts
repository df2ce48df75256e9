import { expect, test } from 'vitest';
import type { Interval } from './player.ts';
import { createRandom } from '../random.ts';
import { addPlayed, countSeconds } from './seconds.ts';

test('ends are rounded, so that adjacent intervals leave no second out and count none twice', () => {
  expect(
    addPlayed(
      [],
      [
        [0, 10.4],
        [10.4, 20.6],
      ],
    ),
  ).toEqual([[0, 21]]);
  expect(addPlayed([], [[0.6, 1.4]])).toEqual([]);
});

test('the same seconds in two tabs count once', () => {
  expect(
    countSeconds(
      addPlayed(
        [],
        [
          [5, 15],
          [10, 20],
          [0, 7],
          [30, 31],
        ],
      ),
    ),
  ).toBe(21);
});

test('it counts the same as a list of single seconds', () => {
  const random = createRandom(5);
  for (let round = 0; round < 500; round += 1) {
    const intervals = Array.from({ length: 8 }, (): Interval => {
      const from = random.between(0, 50);
      return [from, from + random.between(0, 12)];
    });
    const single = new Set<number>();
    for (const [from, to] of intervals)
      for (let second = Math.round(from); second < Math.round(to); second += 1) single.add(second);
    const seconds = addPlayed([], intervals);
    expect(countSeconds(seconds)).toBe(single.size);
    for (const [index, [from]] of seconds.entries())
      if (index > 0) expect(from).toBeGreaterThan(seconds[index - 1]![1]);
  }
});
