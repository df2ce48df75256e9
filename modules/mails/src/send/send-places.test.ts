import { expect, test } from 'vitest';
import { createPlaces } from './send-places.ts';

test('one account gets half of the places, and two fill them', () => {
  const places = createPlaces();
  expect(places.freeFor('a')).toBe(32);
  places.enter('a', 32);
  expect([places.freeFor('a'), places.freeFor('b'), places.isFull()]).toEqual([0, 32, false]);
  places.enter('b', 32);
  expect([places.freeFor('c'), places.isFull()]).toEqual([0, true]);
  places.leave('a');
  expect([places.freeFor('c'), places.freeFor('a')]).toEqual([1, 1]);
});

test('slow accounts share sixteen places until a send is fast again', () => {
  const places = createPlaces();
  for (const account of ['a', 'b']) places.observe(account, 2001);
  places.enter('a', 16);
  expect([places.freeFor('b'), places.freeFor('c')]).toEqual([0, 32]);
  places.observe('b', 100);
  expect(places.freeFor('b')).toBe(32);
});
