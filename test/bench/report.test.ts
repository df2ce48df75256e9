import { expect, test } from 'vitest';
import { atLeast, atMost, describeTargets, isAccepted, verdictOf, type Target } from './report.ts';

const ratio = (figure: number): Target => atLeast('ratio', figure, 0.6, 0.3);
const p99 = (figure: number): Target => atMost('p99', figure, 50, 80);

test.each([
  [ratio(0.6), 'met', true],
  [ratio(0.59), 'accepted', true],
  [ratio(0.3), 'accepted', true],
  [ratio(0.29), 'TOO LOW', false],
  [ratio(Number.NaN), 'TOO LOW', false],
  [p99(50), 'met', true],
  [p99(51), 'accepted', true],
  [p99(81), 'TOO HIGH', false],
  [p99(Number.NaN), 'TOO HIGH', false],
] as const)('%j is %s', (target, verdict, accepted) => {
  expect([verdictOf(target), isAccepted(target)]).toEqual([verdict, accepted]);
});

test('each figure is shown with its target and its accepted limit', () => {
  const [, first, second] = describeTargets([ratio(0.3456), p99(120.4)]).split('\n');
  expect(first!.trim().split(/\s{2,}/)).toEqual(['ratio', '0.346', '>= 0.6', '>= 0.3', 'accepted']);
  expect(second!.trim().split(/\s{2,}/)).toEqual(['p99', '120', '<= 50', '<= 80', 'TOO HIGH']);
});
