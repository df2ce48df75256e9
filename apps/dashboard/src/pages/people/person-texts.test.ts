import { expect, test } from 'vitest';
import { stripText, totalsOf } from './person-texts.ts';

test('the strip in words names each watched range', () => {
  expect(stripText([])).toBe('Nothing was watched.');
  expect(stripText([0, 0])).toBe('Nothing was watched.');
  expect(stripText([100, 40, 0, 0, 0, 0, 0, 3, 0, 100])).toBe(
    'Watched: 0–20 %, 70–80 %, 90–100 % of the video.',
  );
});

test('the revenue of a person is one sum for each currency', () => {
  const revenue = (currency: string, netMinor: number) => ({
    attendance: null,
    revenue: [{ currency, netMinor }],
  });
  expect(
    totalsOf([revenue('EUR', 100), revenue('USD', 5), revenue('EUR', -30), { attendance: null }]),
  ).toEqual({
    attended: 0,
    revenue: [
      { currency: 'EUR', netMinor: 70 },
      { currency: 'USD', netMinor: 5 },
    ],
  });
});
