import { expect, test } from 'vitest';
import { formatExact } from '../../format.ts';
import { toLocalTimes } from './revenue-texts.ts';

test('the times of a sentence are written like all times of the dashboard, and the rest is kept', () => {
  const at = formatExact('2026-11-03T15:03:32Z');
  expect(toLocalTimes('Credited: joined “Launch” on 2026-11-03 at 15:03:32 UTC, 20 days before.')).toBe(
    `Credited: joined “Launch” on ${at}, 20 days before.`,
  );
  expect(toLocalTimes('The attribution window is 30 days.')).toBe('The attribution window is 30 days.');
});
