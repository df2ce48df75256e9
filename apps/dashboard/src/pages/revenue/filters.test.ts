import { expect, test } from 'vitest';
import { filtersOf, isFiltered, reportSpanOf, spanOf } from './filters.ts';
import { RevenueSearch } from './search.ts';

const nowMs = Date.parse('2026-11-22T23:30:00.000Z');

test('a range has whole days of UTC, today included', () => {
  expect(spanOf({ range: 'last_7_days' }, nowMs)).toEqual({ from: '2026-11-16T00:00:00.000Z' });
  expect(spanOf({}, nowMs)).toEqual({ from: '2026-10-24T00:00:00.000Z' });
  expect(spanOf({ range: 'all_time' }, nowMs)).toEqual({});
});

test('selected bars replace the range, and one edge alone does not', () => {
  const from = '2026-11-01T00:00:00.000Z';
  const to = '2026-11-03T00:00:00.000Z';
  expect(spanOf({ range: 'last_7_days', from, to }, nowMs)).toEqual({ from, to });
  expect(spanOf({ range: 'all_time', from }, nowMs)).toEqual({});
  expect(spanOf({ range: 'all_time', from: to, to: from }, nowMs)).toEqual({});
});

test('selected times are widened to whole days', () => {
  const search = { from: '2026-11-01T10:00:00.000Z', to: '2026-11-03T00:00:01.000Z' };
  expect(spanOf(search, nowMs)).toEqual({ from: '2026-11-01T00:00:00.000Z', to: '2026-11-04T00:00:00.000Z' });
});

test('a report ends with today and covers at most 400 days', () => {
  const to = '2026-11-23T00:00:00.000Z';
  expect(reportSpanOf({ range: 'last_7_days' }, nowMs)).toEqual({ from: '2026-11-16T00:00:00.000Z', to });
  expect(reportSpanOf({ range: 'all_time' }, nowMs)).toEqual({ from: '2025-11-23T00:00:00.000Z', to });
  const tooLong = { from: '2020-01-01T00:00:00.000Z', to };
  expect(reportSpanOf(tooLong, nowMs)).toEqual({ from: '2025-10-19T00:00:00.000Z', to });
});

test('a parameter that is not valid is dropped', () => {
  const typed = { currency: 'eur', webinar: 'x', type: 'sale', tab: 'events', state: 'paid' };
  expect(RevenueSearch.parse(typed)).toEqual({ tab: 'events', state: 'paid' });
});

test('the filters of the events apply on their own tab only', () => {
  const search = { type: 'refund', offer: 'one', webinar: 'two' } as const;
  expect(filtersOf({ ...search, tab: 'events' })).toMatchObject(search);
  expect(filtersOf(search)).toMatchObject({ type: undefined, offer: undefined, webinar: 'two' });
  expect(filtersOf({ ...search, tab: 'unattributed' })).toMatchObject({ type: undefined, attributed: 'no' });
});

test('the open tab, the currency and the drawer are no filters', () => {
  expect(isFiltered({ tab: 'events', currency: 'EUR', event: 'one', by: 'offer' })).toBe(false);
  expect(isFiltered({ attributed: 'no' })).toBe(true);
});
