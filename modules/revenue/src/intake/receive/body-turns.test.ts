import { expect, test } from 'vitest';
import { bodyCpuMs, createBodyTurns, ordinaryBytes } from './body-turns.ts';

const large = 256 * 1024;

test('large bodies of one address take turns, and those of another address and ordinary ones do not wait for them', () => {
  let nowMs = 1000;
  const turns = createBodyTurns(() => nowMs);
  const each = 5 * bodyCpuMs(large);
  const waits = [1, 2, 3].map(() => turns.take('one', large));
  expect(waits.map((waitMs) => Math.round(waitMs / each))).toEqual([0, 1, 2]);
  expect(turns.take('other', large)).toBe(0);
  expect(turns.take('one', ordinaryBytes)).toBe(0);
  nowMs += 4 * each;
  expect(turns.take('one', large)).toBe(0);
});
