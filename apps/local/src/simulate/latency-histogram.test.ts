import { expect, test } from 'vitest';
import { createHistogram } from './latency-histogram.ts';

test('a percentile is at most 2 % above the measured one, and the maximum is exact', () => {
  const histogram = createHistogram();
  for (let ms = 1; ms <= 1000; ms += 1) histogram.add(ms);
  const { count, p50, p95, p99, max } = histogram.percentiles();
  expect({ count, max }).toEqual({ count: 1000, max: 1000 });
  for (const [found, real] of [
    [p50, 500],
    [p95, 950],
    [p99, 990],
  ] as const) {
    expect(found).toBeGreaterThanOrEqual(real);
    expect(found).toBeLessThanOrEqual(real * 1.02);
  }
});

test('no percentile is above the maximum, and without measurements it is 0', () => {
  const histogram = createHistogram();
  expect(histogram.percentiles()).toEqual({ count: 0, p50: 0, p95: 0, p99: 0, max: 0 });
  histogram.add(7);
  expect(histogram.percentiles()).toEqual({ count: 1, p50: 7, p95: 7, p99: 7, max: 7 });
});

test('times of zero and of hours are counted', () => {
  const histogram = createHistogram();
  histogram.add(0);
  histogram.add(7_200_000);
  const { count, p99, max } = histogram.percentiles();
  expect({ count, max }).toEqual({ count: 2, max: 7_200_000 });
  expect(p99).toBeGreaterThan(590_000);
});
