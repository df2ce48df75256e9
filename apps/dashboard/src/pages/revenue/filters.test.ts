import { expect, test } from 'vitest';
import { filtersOf, isFiltered, isInReport, periodOf, reportSpanOf, spanOf } from './filters.ts';
import { RevenueSearch } from './search.ts';

const today = '2026-11-22';

test('a range has whole days, today included', () => {
  expect(spanOf({ range: 'last_7_days' }, today)).toEqual({ from: '2026-11-16', to: today });
  expect(spanOf({}, today)).toEqual({ from: '2026-10-24', to: today });
  expect(spanOf({ range: 'all_time' }, today)).toEqual({});
});

test('selected bars replace the range, and one edge alone does not', () => {
  const [from, to] = ['2026-11-01', '2026-11-02'];
  expect(spanOf({ range: 'last_7_days', from, to }, today)).toEqual({ from, to });
  expect(spanOf({ range: 'all_time', from, to: from }, today)).toEqual({ from, to: from });
  expect(spanOf({ range: 'all_time', from }, today)).toEqual({});
  expect(spanOf({ range: 'all_time', from: to, to: from }, today)).toEqual({});
});

test('a report ends with today and covers at most 400 days', () => {
  expect(reportSpanOf({ range: 'last_7_days' }, today)).toEqual({ from: '2026-11-16', to: today });
  expect(reportSpanOf({ range: 'all_time' }, today)).toEqual({ from: '2025-11-23', to: today });
  const tooLong = { from: '2020-01-01', to: today };
  expect(reportSpanOf(tooLong, today)).toEqual({ from: '2025-10-19', to: today });
});

test('the sums of a list are shown if a report covers the whole time of the list', () => {
  const year = { from: '2025-11-01', to: '2026-10-31' };
  const backwards = { range: 'all_time', from: today, to: '2026-11-01' } as const;
  const tooLong = { from: '2020-01-01', to: today };
  const searches = [
    {},
    year,
    { range: 'all_time' as const, ...year },
    { range: 'all_time' as const },
    backwards,
    tooLong,
  ];
  expect(searches.map((search) => isInReport(search, today))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('bars are days up to 92 days, and weeks above that or when they are chosen', () => {
  const to = '2026-11-22';
  expect(periodOf({}, { from: '2026-08-23', to })).toBe('day');
  expect(periodOf({ per: 'day' }, { from: '2026-08-22', to })).toBe('week');
  expect(periodOf({ per: 'month' }, { from: '2026-08-23', to })).toBe('month');
});

test('a parameter that is not valid is dropped', () => {
  const typed = {
    currency: 'eur',
    webinar: 'x',
    type: 'sale',
    from: '2026-11-31',
    tab: 'events',
    state: 'paid',
  };
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
