import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { rememberInteraction, rememberOption, rememberView } from './respond.ts';

test('the oldest interactions are dropped first, for any order in the stored row', () => {
  const ids = Array.from({ length: 450 }, () => createId());
  let clicks: Record<string, string> = {};
  for (const id of ids)
    clicks = rememberInteraction(Object.fromEntries(Object.entries(clicks).toReversed()), id, 'cta');
  expect(Object.keys(clicks).toSorted()).toEqual(ids.slice(-400));
  // A dropped interaction that is clicked again is kept again.
  expect(rememberInteraction(clicks, ids[0]!, 'cta')[ids[0]!]).toBe('cta');
});

test('a second click on the same interaction adds no entry', () => {
  const clicks = { a: 'offer', b: 'cta' };
  expect(rememberInteraction(clicks, 'a', 'offer')).toEqual(clicks);
});

test('the newest twenty options of a poll are kept', () => {
  let chosen: string[] = [];
  for (let option = 0; option < 30; option += 1) chosen = rememberOption(chosen, `${option}`);
  expect(chosen).toEqual(Array.from({ length: 20 }, (_unused, index) => `${index + 10}`));
});

test('a view is remembered once, and beyond 400 views none can count twice', () => {
  expect(rememberView(['a'], 'b')).toEqual(['a', 'b']);
  expect(rememberView(['a'], 'a')).toBeUndefined();
  const all = Array.from({ length: 400 }, (_unused, index) => `${index}`);
  expect(rememberView(all, 'another')).toBeUndefined();
});
