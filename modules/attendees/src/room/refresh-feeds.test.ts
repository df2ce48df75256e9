import { expect, test } from 'vitest';
import { nextTickMs } from './refresh-feeds.ts';

test('a tick comes 250 ms after a short one, later after a long one or while the account rests, and within 4 s', () => {
  const cases = [
    [0, 0, 250],
    [10, 0, 250],
    [40, 0, 800],
    [40, 300, 800],
    [10, 900, 900],
    [1000, 0, 4000],
    [0, 60_000, 4000],
  ] as const;
  for (const [usedMs, restMs, expected] of cases)
    expect(nextTickMs({ usedMs, restMs }), `${usedMs} ${restMs}`).toBe(expected);
});
