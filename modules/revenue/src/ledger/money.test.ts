import { expect, test } from 'vitest';
import { amountMinorMax, minorToDecimal } from './money.ts';

test('an amount has the digits of its currency', () => {
  expect(minorToDecimal(-1999, 'EUR')).toBe('-19.99');
  expect(minorToDecimal(5, 'EUR')).toBe('0.05');
  expect(minorToDecimal(-5, 'KWD')).toBe('-0.005');
  expect(minorToDecimal(1999, 'JPY')).toBe('1999');
  expect(minorToDecimal(150_000, 'HUF')).toBe('1500.00');
  expect(minorToDecimal(0, 'EUR')).toBe('0.00');
});

test('the largest amount and a sum of many are written exactly', () => {
  expect(minorToDecimal(amountMinorMax, 'EUR')).toBe('9999999999.99');
  expect(minorToDecimal(BigInt(amountMinorMax) * 10_000_000n + 1n, 'EUR')).toBe('99999999999900000.01');
});
