import { expect, test } from 'vitest';
import { heightsOf, netBars, totalOf, type DaySums } from './net-bars.ts';

const to = '2026-11-23T00:00:00.000Z';

const sold = (day: string, grossMinor: number, refundsMinor = 0, chargebacksMinor = 0): DaySums => ({
  day,
  grossMinor,
  refundsMinor,
  chargebacksMinor,
  netMinor: grossMinor + refundsMinor + chargebacksMinor,
});

test('each day has a bar, also a day without events, and the end has none', () => {
  const bars = netBars([sold('2026-11-20', 7900, -900)], { from: '2026-11-19T00:00:00.000Z', to });
  expect(bars.map(({ from, netMinor }) => [from.slice(0, 10), netMinor])).toEqual([
    ['2026-11-19', 0],
    ['2026-11-20', 7000],
    ['2026-11-21', 0],
    ['2026-11-22', 0],
  ]);
  expect(bars.at(-1)!.to).toBe(to);
});

test('a time of more than 92 days has weeks, and no event is lost', () => {
  expect(netBars([], { from: '2026-08-23T00:00:00.000Z', to })).toHaveLength(92);
  expect(netBars([], { from: '2026-08-22T00:00:00.000Z', to })).toHaveLength(14);
  const days = [
    sold('2025-11-23', 100),
    sold('2025-11-29', 10),
    sold('2025-11-30', 1),
    sold('2026-11-22', 5),
  ];
  const bars = netBars(days, { from: '2025-11-23T00:00:00.000Z', to });
  expect(bars).toHaveLength(53);
  expect([bars[0]!.grossMinor, bars[1]!.grossMinor, bars.at(-1)!.grossMinor]).toEqual([110, 1, 5]);
  expect(bars.at(-1)!.to).toBe(to);
  expect(totalOf(bars).grossMinor).toBe(116);
});

test('refunds are below zero, and a reversal alone is above', () => {
  expect(heightsOf(sold('2026-11-22', 100, -30, -20))).toEqual({ gross: 100, refunds: 30, chargebacks: 20 });
  expect(heightsOf(sold('2026-11-22', 0, 0, 20))).toEqual({ gross: 20, refunds: 0, chargebacks: 0 });
});
