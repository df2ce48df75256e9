import { expect, test } from 'vitest';
import { createPlaces, type Place, type Places } from './send-places.ts';

const enter = (places: Places, accountId: string, count: number): Place[] =>
  Array.from({ length: count }, () => places.enter(accountId));

test('one account gets half of the places, and two fill them', () => {
  const places = createPlaces();
  expect(places.freeFor('a')).toBe(32);
  const [first] = enter(places, 'a', 32);
  expect([places.freeFor('a'), places.freeFor('b'), places.isFull()]).toEqual([0, 32, false]);
  enter(places, 'b', 32);
  expect([places.freeFor('c'), places.isFull()]).toEqual([0, true]);
  first!.leave();
  expect([places.freeFor('c'), places.freeFor('a')]).toEqual([1, 1]);
});

test('slow accounts share sixteen sends until a send is fast again', () => {
  const places = createPlaces();
  for (const account of ['a', 'b'])
    for (const place of enter(places, account, 1)) {
      place.slowDown();
      place.leave();
    }
  const sends = enter(places, 'a', 16);
  expect([places.freeFor('b'), places.freeFor('c')]).toEqual([0, 32]);
  for (const place of sends) place.leave();
  expect(places.freeFor('a')).toBe(32);
});

test('hanging servers of many accounts leave their places to others, within a limit', () => {
  const places = createPlaces();
  const hang = (round: number): Place[] => {
    const sends = Array.from({ length: 64 }, (_, index) => places.enter(`${round}-${index}`));
    for (const place of sends) place.slowDown();
    return sends;
  };
  const sends = [hang(1), hang(2)].flat();
  expect([places.isFull(), places.freeFor('a'), places.freeFor('1-0')]).toEqual([false, 32, 0]);
  hang(3);
  expect([places.isFull(), places.freeFor('a')]).toEqual([true, 0]);
  for (const place of sends) place.leave();
  expect([places.isFull(), places.freeFor('a')]).toEqual([true, 0]);
});
