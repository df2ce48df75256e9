import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { deliveryFilterParams, isFiltered, noFilters, spanOf, type DeliverySearch } from './search.ts';

const parse = (search: Record<string, unknown>) => z.object(deliveryFilterParams).parse(search);

test('a code in the URL is a class, none or a number of three digits, and anything else is dropped', () => {
  expect(['5xx', 'none', 410, '410', '9xx', 99, 'five'].map((code) => parse({ code }).code)).toEqual([
    '5xx',
    'none',
    '410',
    '410',
    undefined,
    undefined,
    undefined,
  ]);
});

test('a selected time replaces the range, unless it ends before it begins', () => {
  const nowMs = Date.parse('2026-11-22T20:00:30.500Z');
  const [from, to] = ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z'];
  expect(spanOf({ range: 'last_hour', from, to }, nowMs)).toEqual({ from, to });
  expect(spanOf({ range: 'last_hour', from: to, to: from }, nowMs)).toEqual({
    from: '2026-11-22T19:00:00.000Z',
  });
  expect(spanOf({}, nowMs)).toEqual({ from: '2026-11-15T20:00:00.000Z' });
});

test('an open drawer is no filter, and removing the filters leaves none', () => {
  expect(isFiltered({ delivery: 'x' })).toBe(false);
  expect(isFiltered({ delivery: 'x', code: '5xx' })).toBe(true);
  const filtered: DeliverySearch = { status: 'failure', code: '5xx', from: 'x' };
  expect(isFiltered({ ...filtered, ...noFilters })).toBe(false);
});
