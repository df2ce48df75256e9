import { expect, test } from 'vitest';
import { creditSeconds } from '../attendance/watched.ts';
import { watchedParts } from './get-person.ts';

const watched = (...ranges: [number, number][]) => creditSeconds(new Uint8Array(), ranges, 100_000).watched;

test('the parts of a video say which of its seconds were watched', () => {
  expect(watchedParts(new Uint8Array(), 600)).toEqual([]);
  const parts = watchedParts(watched([0, 300], [305, 310]), 600);
  expect(parts).toHaveLength(60);
  expect(parts.slice(0, 30).every((percent) => percent === 100)).toBe(true);
  expect(parts[30]).toBe(50);
  expect(parts.slice(31).every((percent) => percent === 0)).toBe(true);
});

test('a video shorter than the parts has a part for each second, and watched seconds after its planned end are shown', () => {
  expect(watchedParts(watched([1, 3]), 4)).toEqual([0, 100, 100, 0, 0, 0, 0, 0]);
  expect(watchedParts(watched([0, 1200]), 600)).toHaveLength(60);
});
