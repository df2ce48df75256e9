import { expect, it } from 'vitest';
import { percentilesOf } from './percentiles.ts';

it('a percentile is the value that so many percent of the values do not exceed', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  expect(percentilesOf(values)).toEqual({ count: 200, p50: 100, p95: 190, p99: 198, max: 200 });
  expect(percentilesOf([7])).toEqual({ count: 1, p50: 7, p95: 7, p99: 7, max: 7 });
  expect(percentilesOf([]).p99).toBeNaN();
});
