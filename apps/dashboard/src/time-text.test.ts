import { expect, test } from 'vitest';
import { formatPosition, formatRange, parseLength, parsePosition, positionText } from './time-text.ts';

test('a position is read as seconds, minutes or hours', () => {
  expect(['90', '1:30', '1:02:03', ' 0:05 ', '90:00', '0'].map(parsePosition)).toEqual([
    90, 90, 3723, 5, 5400, 0,
  ]);
});

test('a text that is no position is refused, not guessed', () => {
  const texts = ['', '1:60', '1:75:00', '-5', '1.5', '1:2:3:4', 'soon', '1:', ':30', '1234567'];
  expect(texts.map(parsePosition)).toEqual(texts.map(() => undefined));
});

test('every written position is read back', () => {
  const seconds = [0, 5, 59, 60, 90, 3599, 3600, 3723, 86_400];
  expect(seconds.map(formatPosition)).toEqual([
    '0:00',
    '0:05',
    '0:59',
    '1:00',
    '1:30',
    '59:59',
    '1:00:00',
    '1:02:03',
    '24:00:00',
  ]);
  expect(seconds.map((one) => parsePosition(formatPosition(one)))).toEqual(seconds);
  expect(formatRange(90, null)).toBe('1:30 to the end');
});

test('a read position is written in digits and in words', () => {
  expect([5, 0, 61, 3600, 3725].map(positionText)).toEqual([
    '0:05, 5 seconds',
    '0:00, 0 seconds',
    '1:01, 1 minute 1 second',
    '1:00:00, 1 hour',
    '1:02:05, 1 hour 2 minutes 5 seconds',
  ]);
});

test('a length is read as minutes, or as hours and minutes', () => {
  const texts = ['45', '45 min', '90', '1:30', '1 h', '1h30', '1 hour 5 minutes'];
  expect(texts.map(parseLength)).toEqual([2700, 2700, 5400, 5400, 3600, 5400, 3900]);
});

test('a text that is no length is refused', () => {
  const texts = ['', 'h', '1:', '1:5', '1:75', '1 h 75', '1 30', '1.5', '-5', 'long'];
  expect(texts.map(parseLength)).toEqual(texts.map(() => undefined));
});
