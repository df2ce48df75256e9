import type { ConditionResult } from '@service/webinars';
import { expect, test } from 'vitest';
import { createKeepResults } from './keep-results.ts';

const result = (
  expected: ConditionResult['expected'],
  actual: ConditionResult['actual'],
): ConditionResult => ({
  field: 'customFields.company',
  operator: 'in',
  expected,
  actual,
  passed: true,
});

test('what is short is kept as it is', () => {
  const results = [result('a', null), result(['a', 'b'], ['c']), result(5, 7), result(true, false)];
  expect(createKeepResults()('event', results)).toEqual(results);
});

test('of a long list the first items are kept', () => {
  const list = Array.from({ length: 50 }, (_unused, index) => `${index}`.padEnd(500, '.'));
  const [kept] = createKeepResults()('event', [result(list, list)]);
  expect(kept).toMatchObject({ expected: list.slice(0, 8), actual: list.slice(0, 8), passed: true });
});

test('an event has room for fifty thousand characters of values; whether a condition passed is always kept', () => {
  const keep = createKeepResults();
  const results = Array.from({ length: 20 }, () => result('a'.repeat(500), 'b'.repeat(1000)));
  const kept = Array.from({ length: 5 }, () => keep('event', results)).flat();
  expect(kept.filter(({ actual }) => actual !== null)).toHaveLength(33);
  expect(kept.every(({ passed }) => passed)).toBe(true);
  expect(keep('another event', results)[0]).toEqual(results[0]);
});

test('without room for the results of a transaction, each evaluation keeps the condition that failed first', () => {
  const keep = createKeepResults();
  const results = Array.from({ length: 20 }, () => result('a', 'b'));
  const failed = results.with(7, { ...result('a', 'c'), passed: false });
  const kept = Array.from({ length: 5000 }, (_unused, index) => keep(`event ${index}`, failed));
  expect(kept[0]).toEqual(failed);
  expect(kept.at(-1)).toEqual([{ ...failed[7], expected: null, actual: null }]);
  expect(keep('the last event', results)).toEqual([]);
  expect(JSON.stringify(kept).length).toBeLessThan(6_000_000);
});
