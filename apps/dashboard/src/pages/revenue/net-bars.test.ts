import { expect, test } from 'vitest';
import { heightsOf, netBars, totalOf, type PeriodSums } from './net-bars.ts';

const sold = (key: string, grossMinor: number, refundsMinor = 0, chargebacksMinor = 0): PeriodSums => ({
  key,
  grossMinor,
  refundsMinor,
  chargebacksMinor,
  netMinor: grossMinor + refundsMinor + chargebacksMinor,
});

const barsOf = (...input: Parameters<typeof netBars>) =>
  netBars(...input).map(({ from, to, netMinor }) => [from, to, netMinor]);

test('each day has a bar, also a day without events', () => {
  const time = { from: '2026-11-19', to: '2026-11-21', period: 'day' } as const;
  expect(barsOf([sold('2026-11-20', 7900, -900)], time)).toEqual([
    ['2026-11-19', '2026-11-19', 0],
    ['2026-11-20', '2026-11-20', 7000],
    ['2026-11-21', '2026-11-21', 0],
  ]);
});

test('weeks and months are cut at the ends of the time, and no event is lost', () => {
  const weeks = { from: '2026-11-18', to: '2026-12-01', period: 'week' } as const;
  const groups = [sold('2026-11-16', 1), sold('2026-11-23', 10), sold('2026-11-30', 100)];
  expect(barsOf(groups, weeks)).toEqual([
    ['2026-11-18', '2026-11-22', 1],
    ['2026-11-23', '2026-11-29', 10],
    ['2026-11-30', '2026-12-01', 100],
  ]);
  expect(totalOf(netBars(groups, weeks)).grossMinor).toBe(111);
  const months = { from: '2025-12-31', to: '2026-02-28', period: 'month' } as const;
  expect(barsOf([sold('2025-12', 1), sold('2026-02', 5)], months)).toEqual([
    ['2025-12-31', '2025-12-31', 1],
    ['2026-01-01', '2026-01-31', 0],
    ['2026-02-01', '2026-02-28', 5],
  ]);
});

test('refunds are below zero, and a reversal alone is above', () => {
  expect(heightsOf(sold('2026-11-22', 100, -30, -20))).toEqual({ gross: 100, refunds: 30, chargebacks: 20 });
  expect(heightsOf(sold('2026-11-22', 0, 0, 20))).toEqual({ gross: 20, refunds: 0, chargebacks: 0 });
});
