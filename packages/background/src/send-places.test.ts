import { expect, test } from 'vitest';
import { createPlaces, type Place, type Places } from './send-places.ts';

const openMax = 100;

const enter = (places: Places, key: string, count: number): Place[] =>
  Array.from({ length: count }, () => places.enter(key, openMax));

test('one account gets half of the places, and two fill them', () => {
  const places = createPlaces();
  expect(places.freeFor('a', openMax)).toBe(32);
  const [first] = enter(places, 'a', 32);
  expect([places.freeFor('a', openMax), places.freeFor('b', openMax), places.isFull()]).toEqual([
    0,
    32,
    false,
  ]);
  enter(places, 'b', 32);
  expect([places.freeFor('c', openMax), places.isFull()]).toEqual([0, true]);
  first!.leave();
  expect([places.freeFor('c', openMax), places.freeFor('a', openMax)]).toEqual([1, 1]);
});

test('slow accounts share sixteen sends until a send is fast again', () => {
  const places = createPlaces();
  for (const account of ['a', 'b'])
    for (const place of enter(places, account, 1)) {
      place.slowDown();
      place.leave();
    }
  const sends = enter(places, 'a', 16);
  expect([places.freeFor('b', openMax), places.freeFor('c', openMax)]).toEqual([0, 32]);
  for (const place of sends) place.leave();
  expect(places.freeFor('a', openMax)).toBe(32);
});

test('hanging servers of many accounts leave their places to others, within a limit', () => {
  const places = createPlaces();
  const hang = (round: number): Place[] => {
    const sends = Array.from({ length: 64 }, (_, index) => places.enter(`${round}-${index}`, openMax));
    for (const place of sends) place.slowDown();
    return sends;
  };
  const sends = [hang(1), hang(2)].flat();
  expect([places.isFull(), places.freeFor('a', openMax), places.freeFor('1-0', openMax)]).toEqual([
    false,
    32,
    0,
  ]);
  hang(3);
  expect([places.isFull(), places.freeFor('a', openMax)]).toEqual([true, 0]);
  for (const place of sends) place.leave();
  expect([places.isFull(), places.freeFor('a', openMax)]).toEqual([true, 0]);
});

test('a send that is slow twice leaves one place', () => {
  const places = createPlaces();
  const [send] = enter(places, 'a', 1);
  enter(places, 'b', 1);
  send!.slowDown();
  send!.slowDown();
  expect(places.free()).toBe(63);
  send!.leave();
  expect(places.free()).toBe(63);
});

test('accounts with as many open sends as their provider takes, or that are slow, are left out of the search', () => {
  const places = createPlaces();
  for (const account of ['a', 'b']) places.enter(account, 2);
  const second = places.enter('a', 2);
  expect([places.freeFor('a', 2), places.freeFor('b', 2), places.fullKeys()]).toEqual([0, 1, ['a']]);
  second.leave();
  expect(places.fullKeys()).toEqual([]);
  const sends = enter(places, 'slow', 16);
  sends[0]!.slowDown();
  expect(places.fullKeys()).toEqual(['slow']);
});
