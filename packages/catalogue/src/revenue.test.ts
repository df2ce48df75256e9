import { expect, test } from 'vitest';
import { currencyDigits, isCurrency } from './revenue.ts';

test('a currency has the digits of ISO 4217, also where people pay cash without them', () => {
  const digits = { EUR: 2, JPY: 0, KWD: 3, HUF: 2, IDR: 2, COP: 2, RSD: 2, IQD: 3 };
  expect(Object.keys(digits).map(currencyDigits)).toEqual(Object.values(digits));
});

test('a currency is a code of ISO 4217 in upper case', () => {
  const codes = ['EUR', 'JPY', 'KWD', 'eur', 'EURO', 'ABC', ''];
  expect(codes.filter(isCurrency)).toEqual(['EUR', 'JPY', 'KWD']);
});
