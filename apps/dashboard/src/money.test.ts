import { expect, test } from 'vitest';
import { formatMoney, formatMoneyShort, minorToText, textToMinor } from './money.ts';

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

test('an amount is shown in its currency, with the digits of this currency', () => {
  expect([formatMoney(7900, 'EUR'), formatMoney(7900, 'JPY'), formatMoney(7900, 'KWD')]).toEqual([
    '€79.00',
    '¥7,900',
    'KWD\u00A07.900',
  ]);
  expect(formatMoney(150_000, 'HUF')).toBe('HUF\u00A01,500.00');
});

test('a refund keeps its sign, also when it is smaller than one unit', () => {
  expect([formatMoney(-7900, 'EUR'), formatMoney(-5, 'EUR'), formatMoney(-1, 'JPY')]).toEqual([
    '-€79.00',
    '-€0.05',
    '-¥1',
  ]);
  expect(minorToText(-5, 'KWD')).toBe('-0.005');
});

test('the last digit of the largest amount is not rounded', () => {
  expect(formatMoney(Number.MAX_SAFE_INTEGER, 'EUR')).toBe('€90,071,992,547,409.91');
});

test('the axis of a chart has short amounts', () => {
  expect([formatMoneyShort(123_456, 'EUR'), formatMoneyShort(-5_000_000, 'JPY')]).toEqual(['€1.2K', '-¥5M']);
});
