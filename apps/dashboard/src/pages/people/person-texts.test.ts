import { expect, test } from 'vitest';
import { stripText, totalsOf } from './person-texts.ts';

test('the strip in words names each watched range', () => {
  expect(stripText([])).toBe('Nothing was watched.');
  expect(stripText([0, 0])).toBe('Nothing was watched.');
  expect(stripText([100, 40, 0, 0, 0, 0, 0, 3, 0, 100])).toBe(
    'Watched: 0–20 %, 70–80 %, 90–100 % of the video.',
  );
});

test('the revenue of a person is one sum for each currency, and a no-show who joined for a moment has not attended', () => {
  const revenue = (currency: string, netMinor: number) => ({
    status: 'no_show' as const,
    attendance: { firstJoinedAt: '2026-11-26T12:00:00.000Z' },
    revenue: [{ currency, netMinor }],
  });
  expect(
    totalsOf([revenue('EUR', 100), revenue('USD', 5), revenue('EUR', -30), { status: 'attended' }]),
  ).toEqual({
    attended: 1,
    revenue: [
      { currency: 'EUR', netMinor: 70 },
      { currency: 'USD', netMinor: 5 },
    ],
  });
});
