import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countSeconds, creditSeconds, type Range } from './watched.ts';

const day = 86_400;
const none = new Uint8Array();

const secondsIn = (watched: Uint8Array): number[] =>
  [...watched].flatMap((byte, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => byte & (1 << bit)).map((bit) => index * 8 + bit),
  );

const second = fc.oneof(fc.nat(40), fc.nat(day));
const range = fc.tuple(second, second) satisfies fc.Arbitrary<Range>;
const bytes = fc.uint8Array({ maxLength: 20 });

test('creditSeconds agrees with counting seconds one by one', () => {
  const inputs = [bytes, fc.array(range, { maxLength: 6 }), fc.integer({ min: -2, max: 400 })] as const;
  fc.assert(
    fc.property(...inputs, (watched, ranges, budget) => {
      const before = Uint8Array.from(watched);
      const expected = new Set(secondsIn(watched));
      const most = expected.size + budget;
      for (const [from, to] of ranges)
        for (let n = from; n < to && expected.size < most; n += 1) expected.add(n);
      const credited = creditSeconds(watched, ranges, budget);
      expect(secondsIn(credited.watched)).toEqual([...expected].toSorted((one, other) => one - other));
      expect(credited.gainedSeconds).toBe(expected.size - secondsIn(before).length);
      expect(watched).toEqual(before);
    }),
    { numRuns: 500 },
  );
});

test('countSeconds agrees with counting seconds one by one', () => {
  fc.assert(
    fc.property(bytes, range, (watched, [from, to]) => {
      const inside = secondsIn(watched).filter((n) => n >= from && n < to);
      expect(countSeconds(watched, from, to)).toBe(inside.length);
    }),
  );
});

test('the lowest bit of a byte is its first second', () => {
  expect([
    ...creditSeconds(
      none,
      [
        [0, 1],
        [10, 12],
      ],
      day,
    ).watched,
  ]).toEqual([0b1, 0b1100]);
});

test('the budget is used in the order of the ranges, from the start of each', () => {
  const { watched } = creditSeconds(
    none,
    [
      [20, 23],
      [0, 9],
    ],
    5,
  );
  expect(secondsIn(watched)).toEqual([0, 1, 20, 21, 22]);
});

test('without new seconds the same array is returned, so that it is not written again', () => {
  const { watched } = creditSeconds(none, [[0, 10]], day);
  expect(creditSeconds(watched, [[2, 9]], day).watched).toBe(watched);
  expect(creditSeconds(watched, [[10, 20]], 0).watched).toBe(watched);
});

test('the array grows only as far as seconds were added', () => {
  expect(creditSeconds(none, [[0, day]], 9).watched).toHaveLength(2);
  expect(creditSeconds(none, [[0, day]], day).watched).toHaveLength(day / 8);
});
