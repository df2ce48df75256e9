import { expect, test } from 'vitest';
import { ActivitySearch } from './pages/activity/search.ts';
import { SourceSearch } from './pages/source/search.ts';
import { WebinarsSearch } from './pages/webinars/search.ts';

test('valid parameters are kept, invalid and unknown ones are dropped', () => {
  expect(SourceSearch.parse({ status: 'failure', event: 'No type', delivery: '', other: 1 })).toEqual({
    status: 'failure',
  });
  expect(WebinarsSearch.parse({ create: true })).toEqual({ create: true });
  expect(WebinarsSearch.parse({ create: 'true' })).toEqual({});
});

test('a request id of digits is a text, and a blank one is dropped', () => {
  expect(ActivitySearch.parse({ request: 42 })).toEqual({ request: '42' });
  expect(ActivitySearch.parse({ request: '  ' })).toEqual({});
});

test('a part of the histogram needs two valid times in their order', () => {
  const [from, to] = ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z'];
  expect(ActivitySearch.parse({ from, to })).toEqual({ from, to });
  for (const wrong of [{ from }, { from: to, to: from }, { from, to: 'later' }])
    expect(ActivitySearch.parse(wrong)).toEqual({});
});
