import { expect, test } from 'vitest';
import { barsOf, wholeQuarters } from './bars.ts';

const to = new Date('2026-11-22T12:34:56Z');
const before = (hours: number): Date => new Date(to.getTime() - hours * 3_600_000);
const at = (time: string): Date => new Date(`2026-11-22T${time}Z`);

const widthsMs = [1, 15, 30, 60, 4 * 60, 12 * 60, 24 * 60, 48 * 60].map((minutes) => minutes * 60_000);
const options = { widthsMs, barsMax: 60, utcOffsetMinutes: 0 };

test.each([
  [1, 60],
  [24, 30 * 60],
  [7 * 24, 4 * 3600],
  [30 * 24, 12 * 3600],
  [90 * 24, 2 * 86_400],
  [365 * 24, 2 * 86_400],
])('%i hours have the narrowest bars with which sixty suffice, %i seconds', (hours, seconds) => {
  const { widthMs, starts } = barsOf({ from: before(hours), to }, options);
  expect(widthMs / 1000).toBe(seconds);
  if (hours <= 90 * 24) expect(starts.length).toBeLessThanOrEqual(61);
  expect(starts[0]!.getTime()).toBeLessThanOrEqual(before(hours).getTime());
  expect(starts.at(-1)!.getTime() + widthMs).toBeGreaterThanOrEqual(to.getTime());
});

test('bars of a day begin at midnight of the reader', () => {
  const { starts } = barsOf({ from: before(50 * 24), to }, { ...options, utcOffsetMinutes: 330 });
  expect(new Set(starts.map((start) => start.toISOString().slice(11)))).toEqual(new Set(['18:30:00.000Z']));
});

test('the whole quarters of a span lie within it; bars that begin inside of a quarter have none', () => {
  const span = { from: at('08:07:00'), to: at('11:52:00') };
  const bars = { widthMs: 3_600_000, starts: ['08:00:00', '09:00:00', '10:00:00', '11:00:00'].map(at) };
  expect(wholeQuarters(span, bars)).toEqual({ from: at('08:15:00'), to: at('11:45:00') });
  expect(wholeQuarters({ from: at('08:01:00'), to: at('08:29:00') }, bars)).toBeUndefined();
  expect(wholeQuarters(span, barsOf(span, { ...options, utcOffsetMinutes: 7 }))).toBeUndefined();
  expect(wholeQuarters(span, { ...bars, widthMs: 300_000 })).toBeUndefined();
});
