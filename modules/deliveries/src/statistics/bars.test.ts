import { expect, test } from 'vitest';
import { barsOf } from './bars.ts';

const to = new Date('2026-11-22T12:34:56Z');
const before = (hours: number): Date => new Date(to.getTime() - hours * 3_600_000);

test.each([
  [1, 60],
  [24, 30 * 60],
  [7 * 24, 4 * 3600],
  [30 * 24, 12 * 3600],
  [90 * 24, 2 * 86_400],
])(
  '%i hours have bars of %i seconds, at most one more than sixty, that cover all of it',
  (hours, seconds) => {
    const { widthMs, starts } = barsOf({ from: before(hours), to }, 0);
    expect(widthMs / 1000).toBe(seconds);
    expect(starts.length).toBeLessThanOrEqual(61);
    expect(starts[0]!.getTime()).toBeLessThanOrEqual(before(hours).getTime());
    expect(starts.at(-1)!.getTime() + widthMs).toBeGreaterThanOrEqual(to.getTime());
  },
);

test('bars of a day begin at midnight of the reader', () => {
  const { starts } = barsOf({ from: before(50 * 24), to }, 330);
  expect(new Set(starts.map((start) => start.toISOString().slice(11)))).toEqual(new Set(['18:30:00.000Z']));
});
