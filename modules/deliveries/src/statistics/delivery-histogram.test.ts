import { expect, test } from 'vitest';
import { partsOf } from './delivery-histogram.ts';

const at = (time: string): Date => new Date(`2026-11-22T${time}Z`);
const span = { from: at('08:07:00'), to: at('11:52:00') };
const bars = { widthMs: 3_600_000, starts: ['08:00:00', '09:00:00', '10:00:00', '11:00:00'].map(at) };

test('parts cover the range without gaps, and change where a bar or the stored counts begin or end', () => {
  const parts = partsOf(span, bars, { from: at('08:15:00'), to: at('10:30:00') });
  const short = parts.map(({ bar, from, isLive }) => [bar, from.toISOString().slice(11, 16), isLive]);
  expect(short).toEqual([
    [0, '08:07', true],
    [0, '08:15', false],
    [1, '09:00', false],
    [2, '10:00', false],
    [2, '10:30', true],
    [3, '11:00', true],
  ]);
  expect(parts.map(({ to }) => to)).toEqual([...parts.slice(1).map(({ from }) => from), span.to]);
});

test('without stored counts each bar is one part', () => {
  expect(partsOf(span, bars, undefined).map(({ bar, isLive }) => [bar, isLive])).toEqual([
    [0, true],
    [1, true],
    [2, true],
    [3, true],
  ]);
});
