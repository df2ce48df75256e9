import type { ConditionResult } from '@service/conditions';
import { expect, test } from 'vitest';
import { createKeepResults } from './record-executions.ts';

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

test('short values are kept unchanged', () => {
  const results = [result('a', null), result(['a', 'b'], ['c']), result(5, 7), result(true, false)];
  expect(createKeepResults()('event', results)).toEqual(results);
});

test('a long list keeps its first items', () => {
  const list = Array.from({ length: 50 }, (_unused, index) => `${index}`.padEnd(500, '.'));
  const [kept] = createKeepResults()('event', [result(list, list)]);
  expect(kept).toMatchObject({ expected: list.slice(0, 8), actual: list.slice(0, 8), passed: true });
});

test('an event keeps fifty thousand characters of values, and always whether a condition passed', () => {
  const keep = createKeepResults();
  const results = Array.from({ length: 20 }, () => result('a'.repeat(500), 'b'.repeat(1000)));
  const kept = Array.from({ length: 5 }, () => keep('event', results)).flat();
  expect(kept.filter(({ actual }) => actual !== null)).toHaveLength(33);
  expect(kept.every(({ passed }) => passed)).toBe(true);
  expect(keep('another event', results)[0]).toEqual(results[0]);
});

test('when the room of a transaction is used up, each evaluation keeps only its first failed condition', () => {
  const keep = createKeepResults();
  const results = Array.from({ length: 20 }, () => result('a', 'b'));
  const failed = results.with(7, { ...result('a', 'c'), passed: false });
  const kept = Array.from({ length: 5000 }, (_unused, index) => keep(`event ${index}`, failed));
  expect(kept[0]).toEqual(failed);
  expect(kept.at(-1)).toEqual([{ ...failed[7], expected: null, actual: null }]);
  expect(keep('the last event', results)).toEqual([]);
  expect(JSON.stringify(kept).length).toBeLessThan(6_000_000);
});
