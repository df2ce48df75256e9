import { expect, test } from 'vitest';
import { formatMoney, minorToText, textToMinor } from './money.ts';

test('an amount has as many digits as its currency', () => {
  expect([minorToText(7900, 'EUR'), minorToText(7900, 'JPY'), minorToText(7900, 'KWD')]).toEqual([
    '79.00',
    '7900',
    '7.900',
  ]);
  expect([minorToText(5, 'EUR'), minorToText(0, 'EUR')]).toEqual(['0.05', '0.00']);
});

test('a written amount becomes the smallest unit, with a point or a comma', () => {
  const texts = ['79', '79.9', '79,90', '0.05', '79.999', 'free', '', '-1'];
  expect(texts.map((text) => textToMinor(text, 'EUR'))).toEqual([
    7900,
    7990,
    7990,
    5,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(textToMinor('79.5', 'JPY')).toBeUndefined();
});

test('an amount is shown in its currency', () => {
  expect(formatMoney(7900, 'EUR')).toBe('€79.00');
});
