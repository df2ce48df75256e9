import { expect, test } from 'vitest';
import { formatPosition, parsePosition } from './position.ts';

test('a position is read as it is written, in hours, minutes and seconds', () => {
  for (const [text, seconds] of [
    ['0:00', 0],
    ['1:05', 65],
    ['59:59', 3599],
    ['1:00:00', 3600],
    ['1:02:05', 3725],
  ] as const) {
    expect(formatPosition(seconds)).toBe(text);
    expect(parsePosition(text)).toBe(seconds);
  }
});

test('minutes beyond an hour and bare seconds are accepted, another text is not', () => {
  expect(parsePosition(' 62:05 ')).toBe(3725);
  expect(parsePosition('90')).toBe(90);
  for (const text of ['', '1:5', '1:60', 'a', '1:02:05:00', '-5', '1.5'])
    expect(parsePosition(text)).toBeUndefined();
});
